// Processes that share a store must have the same secrets. The store has fingerprints of those it was first served with; a
// folder has those that it was last served with, so that whoever replaces them is told.
import { createHmac } from 'node:crypto'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { FolderFingerprints } from './folder-fingerprints.js'
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

/** Throws `serve.other-secrets`. A store of one process takes other secrets. */
export async function agreeOnSecrets(
  secrets: SomeSecrets,
  { facts, dataFolder, acceptNewSecrets, onReplaced }: SharedSecretsOptions,
): Promise<void> {
  const recorded = facts ?? new FolderFingerprints(dataFolder)
  for (const { name, fact, fingerprint } of fingerprintsOf(secrets)) {
    if ((await recorded.recordOnce(fact, fingerprint)) === fingerprint) continue
    if (facts && !acceptNewSecrets) throw otherSecrets(name, dataFolder)
    await recorded.set(fact, fingerprint)
    onReplaced(name)
  }
}

export interface ComparedSecret {
  readonly name: SharedSecret
  /** `missing`: it was recorded, and is not at hand. */
  readonly is: 'same' | 'other' | 'missing'
}

/** Compares secrets with those that were recorded; one that never was counts as the same. */
export async function comparedSecrets(
  secrets: Partial<SomeSecrets>,
  { facts, dataFolder }: Pick<SharedSecretsOptions, 'facts' | 'dataFolder'>,
): Promise<readonly ComparedSecret[]> {
  const recorded = facts ?? new FolderFingerprints(dataFolder)
  const compared = shared.map(async ({ name, member }): Promise<ComparedSecret> => {
    const before = await recorded.get(factOf(name))
    const secret = secrets[member]
    if (before === undefined) return { name, is: 'same' }
    if (secret === undefined) return { name, is: 'missing' }
    return { name, is: before === fingerprintOf(secret, name) ? 'same' : 'other' }
  })
  return Promise.all(compared)
}

const otherSecrets = (name: SharedSecret, dataFolder: string) =>
  serveProblem('serve.other-secrets', {
    detail: `The ${name} of this process (${dataFolder}) is not the one that the database was first served with.`,
  })

const shared = [
  { name: 'signing secret', member: 'signingSecret' },
  { name: 'sealing key', member: 'sealingKey' },
] as const

const factOf = (name: SharedSecret): string => `fingerprint of the ${name}`

const fingerprintsOf = (secrets: SomeSecrets) =>
  shared.map(({ name, member }) => ({ name, fact: factOf(name), fingerprint: fingerprintOf(secrets[member], name) }))

/** The secrets are random, so that a fingerprint reveals nothing about them. */
const fingerprintOf = (secret: Uint8Array, name: string): string =>
  createHmac('sha256', secret).update(`steward fingerprint of the ${name}`).digest('hex').slice(0, 32)
