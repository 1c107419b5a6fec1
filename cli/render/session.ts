// Renders what a session waits for, has used, and writes.
import type { SessionUsage, ToolUse } from '../../core/plugin/sessions.js'
import { listed, visible, visibleLines } from './text.js'

const inputLengthMax = 400

/** `bash {"command":"make test"}`. */
export function renderToolUse({ name, input }: ToolUse): string {
  const written = input === undefined ? '' : ` ${JSON.stringify(input)}`
  return visible(name + (written.length > inputLengthMax ? `${written.slice(0, inputLengthMax)}…` : written))
}

/** Says what a session waits for, and with which command it gets it. */
export function renderWaiting(
  tools: readonly ToolUse[],
  session: { readonly id: string; readonly provider: string; readonly canConfirm: boolean },
): string {
  const asking = tools.filter(({ awaits }) => awaits === 'permission')
  const own = tools.filter(({ awaits }) => awaits === 'result')
  const { provider } = session
  const id = visible(session.id)
  const lines = asking.map((tool) => `It asks for permission: ${renderToolUse(tool)} (${visible(tool.id)})`)
  if (own.length > 0)
    lines.push(`It waits for the result of ${listed(own.map(renderToolUse))}, which a program of yours has to send.`)
  if (tools.length === 0) lines.push('It waits for an answer.')
  if (session.canConfirm && asking.length > 0)
    lines.push(
      `To answer: agents session confirm ${id} --allow --provider ${provider}`,
      `       or: agents session confirm ${id} --deny --message "Why not" --provider ${provider}`,
    )
  else if (asking.length > 0 || tools.length === 0) lines.push(`${provider} takes answers in its own console alone.`)
  return lines.join('\n')
}

/** `0.25 USD, 1200 tokens in, 300 out`; undefined if nothing is known. */
export function renderUsage({ cost, inputTokens, outputTokens }: SessionUsage): string | undefined {
  const parts = [
    ...(cost ? [`${visible(cost.amount)} ${visible(cost.currency)} at list prices`] : []),
    ...(inputTokens === undefined ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens} out`]),
  ]
  return parts.length === 0 ? undefined : parts.join(', ')
}

/** Characters at the end of a text that may be the beginning of a hidden value. */
const heldBack = 8

/**
 * One message while it is written. Values are masked in the whole text, never in its parts, so the end of it is held
 * back until it is certain.
 */
export class WrittenMessage {
  #text = ''
  #masked = ''
  #shown = ''

  constructor(private readonly mask: (text: string) => string) {}

  /** Takes the next part, and returns what can be printed now. */
  write(part: string): string {
    this.#text += part
    // `…` stands for what is missing, so that the beginning of a value before it is masked.
    const masked = this.mask(`${this.#text}…`).slice(0, -1)
    const stable = commonBeginning(masked, this.#masked).slice(0, -heldBack)
    this.#masked = masked
    return this.#show(stable)
  }

  /** Takes the whole text, and returns what is left to print: all of it if it is another one. */
  end(text: string): string {
    const masked = this.mask(text)
    if (masked.startsWith(this.#shown)) return visibleLines(masked.slice(this.#shown.length))
    return `\n${visibleLines(masked)}`
  }

  #show(stable: string): string {
    if (stable.length <= this.#shown.length || !stable.startsWith(this.#shown)) return ''
    const more = stable.slice(this.#shown.length)
    this.#shown = stable
    return visibleLines(more)
  }
}

function commonBeginning(one: string, other: string): string {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}
