// Obtains consent to changes: from an option, a saved plan, or an answer on a terminal. Nothing is changed without it.
import type { FoundBlockers } from '../../core/plan/blockers.js'
import type { Plan } from '../../core/plan/plan.js'
import { UsageProblem } from '../line/usage.js'
import type { EngineCommand } from '../project/engine-command.js'
import { renderConsent } from '../render/consent.js'
import type { Context } from '../terminal/context.js'
import { ask, canAsk } from '../terminal/questions.js'

interface ConsentCommand {
  readonly context: Context
  readonly path: readonly string[]
}

/** Refuses before any work if consent was not given and cannot be asked for. `fix` replaces the usual fix. */
export function requireConsent(
  { context, path }: ConsentCommand,
  isGiven: boolean,
  fix?: string,
  effect = 'changes remote objects',
): void {
  if (isGiven || canAsk(context)) return
  throw new UsageProblem('cli.consent-missing', {
    detail: `"agents ${path.join(' ')}" ${effect}, and there is no terminal to ask on.`,
    ...(fix === undefined ? {} : { fix }),
  })
}

/** Asks for consent. The result is `gone` if Ctrl-C ended the prompt. */
export async function askConsent(
  command: EngineCommand,
  plan: Plan,
  blockers: readonly FoundBlockers[] = [],
): Promise<'yes' | 'no' | 'gone'> {
  command.output.note(`\n${renderConsent(plan, blockers, command.output.noteStyle)}`)
  const answer = await ask(command.context, 'Go on? Type "yes": ')
  if (answer === undefined) return 'gone'
  return answer.toLowerCase() === 'yes' ? 'yes' : 'no'
}
