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

type SomeSecrets = Pick<Secrets, 'signingSecret' | 'sealingKey'>

/** Refuses other secrets than the recorded ones, and records nothing. Throws `serve.other-secrets`. */
export async function refuseOtherSecrets(
  secrets: SomeSecrets,
  { facts, dataFolder, acceptNewSecrets }: Omit<SharedSecretsOptions, 'onReplaced'>,
): Promise<void> {
  if (facts === undefined || acceptNewSecrets) return
  for (const { name, fact, fingerprint } of fingerprintsOf(secrets)) {
    if (((await facts.get(fact)) ?? fingerprint) !== fingerprint) throw otherSecrets(name, dataFolder)
  }
}

/** Throws `serve.other-secrets`. */
export async function agreeOnSecrets(
  secrets: SomeSecrets,
  { facts, dataFolder, acceptNewSecrets, onReplaced }: SharedSecretsOptions,
): Promise<void> {
  if (facts === undefined) return
  for (const { name, fact, fingerprint } of fingerprintsOf(secrets)) {
    if ((await facts.recordOnce(fact, fingerprint)) === fingerprint) continue
    if (!acceptNewSecrets) throw otherSecrets(name, dataFolder)
    await facts.set(fact, fingerprint)
    onReplaced(name)
  }
}

const otherSecrets = (name: SharedSecret, dataFolder: string) =>
  serveProblem('serve.other-secrets', {
    detail: `The ${name} of this process (${dataFolder}) is not the one that the database was first served with.`,
  })

const fingerprintsOf = ({ signingSecret, sealingKey }: SomeSecrets) =>
  (
    [
      ['signing secret', signingSecret],
      ['sealing key', sealingKey],
    ] as const
  ).map(([name, secret]) => ({
    name,
    fact: `fingerprint of the ${name}`,
    fingerprint: fingerprintOf(secret, name),
  }))

/** The secrets are random, so that a fingerprint reveals nothing about them. */
const fingerprintOf = (secret: Uint8Array, name: string): string =>
  createHmac('sha256', secret).update(`steward fingerprint of the ${name}`).digest('hex').slice(0, 32)
