// Refuses session options that a provider does not support, before any request is sent.
import type { SessionRequest } from '../../core/plugin/sessions.js'
import { sharedProblem } from './problems.js'

/** Command line options that not every provider supports. */
const options = {
  identity: { option: '--identity', isRequested: ({ identity }: SessionRequest) => identity !== undefined },
  tunnel: { option: '--tunnel', isRequested: ({ tunnel }: SessionRequest) => tunnel !== undefined },
  variables: { option: '--env', isRequested: ({ variables }: SessionRequest) => Object.keys(variables).length > 0 },
} as const

/** Reasons for refusal, by option. */
export type RefusedOptions = Readonly<Partial<Record<keyof typeof options, string>>>

export function refuseOptions(provider: string, request: SessionRequest, refused: RefusedOptions): void {
  for (const key of ['identity', 'tunnel', 'variables'] as const) {
    const detail = refused[key]
    const { option, isRequested } = options[key]
    if (detail !== undefined && isRequested(request))
      throw sharedProblem(provider)(`${provider}.session-option`, {
        detail,
        fix: `Leave out ${option}.`,
      })
  }
}
