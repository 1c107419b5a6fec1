// Converts failures of actions into problems with cause and fix; any other exception is a bug and is rethrown.

import { Problem } from '../diagnostic.js'
import { explainFailure } from '../plan/explain.js'
import { ApiFailure, isFailure } from '../plugin/failure.js'
import { HttpFailure } from '../ports/http.js'
import { problem } from '../problems/index.js'

export interface Attempt {
  /** Address or provider that the failed call was about. */
  readonly subject: string
  mask(text: string): string
  /** Creates the problem to report instead of the provider's message when the object does not exist. */
  readonly ifGone?: () => Problem
}

export async function explainingFailures<Result>(attempt: Attempt, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw asProblem(attempt, error)
  }
}

export async function* attemptedEach<Item>(attempt: Attempt, items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw asProblem(attempt, error)
  }
}

function asProblem({ subject, mask, ifGone }: Attempt, error: unknown): unknown {
  if (ifGone && isFailure(error, 'gone')) return ifGone()
  if (error instanceof ApiFailure) return new Problem(explainFailure(error, subject, mask), { cause: error })
  if (!(error instanceof HttpFailure)) return error
  return problem('provider.unavailable', {
    summary: 'The connection to the provider broke',
    address: subject,
    detail: mask(`${error.message}.`),
    fix: 'Run the command again.',
    cause: error,
  })
}
