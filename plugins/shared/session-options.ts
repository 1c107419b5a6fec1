// What a request for a session asks that a provider does not have: refused before any call.
import type { SessionRequest } from '../../core/plugin/sessions.js'
import { sharedProblem } from './problems.js'

/** The options of the command line that not every provider has. */
const options = {
  identity: { option: '--identity', isAsked: ({ identity }: SessionRequest) => identity !== undefined },
  tunnel: { option: '--tunnel', isAsked: ({ tunnel }: SessionRequest) => tunnel !== undefined },
  variables: { option: '--env', isAsked: ({ variables }: SessionRequest) => Object.keys(variables).length > 0 },
} as const

/** Why not, by option. */
export type RefusedOptions = Readonly<Partial<Record<keyof typeof options, string>>>

export function refuseOptions(provider: string, request: SessionRequest, refused: RefusedOptions): void {
  for (const key of ['identity', 'tunnel', 'variables'] as const) {
    const detail = refused[key]
    const { option, isAsked } = options[key]
    if (detail !== undefined && isAsked(request))
      throw sharedProblem(provider)(`${provider}.session-option`, {
        detail,
        fix: `Leave out ${option}.`,
      })
  }
}
