// Processes that share a store must have the same secrets. The store has fingerprints of those it was first served with.
import { createHmac } from 'node:crypto'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { serveProblem } from './problems.js'
import type { Secrets } from './secrets.js'

export interface SharedSecretsOptions {
  /** Undefined for a store of one process. */
  readonly facts: DeploymentFacts | undefined
  readonly dataFolder: string
  /** True records these secrets in place of the earlier ones. */
  readonly acceptNewSecrets: boolean
  /** Called for each secret that replaced another one. */
  readonly onReplaced: (name: SharedSecret) => void
}

export type SharedSecret = 'signing secret' | 'sealing key'

/** Throws `serve.other-secrets`. */
export async function agreeOnSecrets(
  { signingSecret, sealingKey }: Pick<Secrets, 'signingSecret' | 'sealingKey'>,
  { facts, dataFolder, acceptNewSecrets, onReplaced }: SharedSecretsOptions,
): Promise<void> {
  if (facts === undefined) return
  for (const [name, secret] of [
    ['signing secret', signingSecret],
    ['sealing key', sealingKey],
  ] as const) {
    const fact = `fingerprint of the ${name}`
    const fingerprint = fingerprintOf(secret, name)
    if ((await facts.recordOnce(fact, fingerprint)) === fingerprint) continue
    if (!acceptNewSecrets) {
      throw serveProblem('serve.other-secrets', {
        detail: `The ${name} of this process (${dataFolder}) is not the one that the database was first served with.`,
      })
    }
    await facts.set(fact, fingerprint)
    onReplaced(name)
  }
}

/** The secrets are random, so that a fingerprint reveals nothing about them. */
const fingerprintOf = (secret: Uint8Array, name: string): string =>
  createHmac('sha256', secret).update(`steward fingerprint of the ${name}`).digest('hex').slice(0, 32)
