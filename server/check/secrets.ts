// Checks whether the secrets at hand are those of the data: the ones that it was last served with, and that sealed what it has.
import { type LayerKey, placeOf } from '../layers/content.js'
import type { Content } from '../rows/content.js'
import { Sealing } from '../rows/sealing.js'
import type { SecretsAtHand } from '../settings/secrets.js'
import { comparedSecrets, type SharedSecret } from '../settings/shared-secrets.js'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { rowKinds } from '../storage/row-kinds.js'
import type { Store } from '../storage/store.js'
import type { Finding } from './findings.js'
import { readable } from './rows.js'

export interface KnownSecrets {
  /** Path of the data folder. */
  readonly folder: string
  /** Facts of a store that several processes share; undefined for one that a single process has. */
  readonly facts: DeploymentFacts | undefined
  readonly secrets: SecretsAtHand
}

interface SecretsChecked extends KnownSecrets {
  readonly store: Store
  readonly report: (finding: Finding) => void
}

const variables = {
  'signing secret': 'STEWARD_SIGNING_SECRET',
  'sealing key': 'STEWARD_SEALING_KEY',
} as const satisfies Record<SharedSecret, string>

export async function checkSecrets({ folder, store, facts, secrets, report }: SecretsChecked): Promise<void> {
  for (const { name, is } of await comparedSecrets(secrets, { facts, dataFolder: folder })) {
    if (is === 'other') {
      const detail = `The ${name} of ${variables[name]}, or of secrets.json, is not the one that this data was last served with.`
      report({ code: 'data.other-secret', where: name, detail })
    } else if (is === 'missing') {
      const detail = `The ${name} is neither in ${variables[name]} nor in secrets.json.`
      report({ code: 'data.secret-not-given', where: name, detail })
    }
  }
  if (secrets.sealingKey === undefined) return
  const { sealed, unreadable } = await openSealed(store, new Sealing(secrets.sealingKey))
  if (unreadable === 0) return
  const detail = `${unreadable} of ${sealed} sealed records cannot be opened: the sealing key is not the one that sealed them.`
  report({ code: 'data.sealed-otherwise', where: 'sealing key', detail })
}

/** Opens sealed changes that are in rows; those in files were sealed together with such ones. */
async function openSealed(store: Store, sealing: Sealing) {
  let [sealed, unreadable] = [0, 0]
  const open = (content: Content | null, layer: Omit<LayerKey, 'tenant'>) => {
    if (content === null || !content.isSealed || !('inline' in content.at)) return
    sealed += 1
    if (!sealing.opens(Buffer.from(content.at.inline, 'base64'), placeOf(layer))) unreadable += 1
  }
  for await (const { entry, parts } of readable(store, rowKinds.overlays)) {
    const [, document = '', layerName = ''] = parts.map(String)
    open(rowKinds.overlays.decode(entry).body, { document, layerName })
  }
  for await (const { entry, parts } of readable(store, rowKinds.audits)) {
    const { content, layerName } = rowKinds.audits.decode(entry)
    open(content, { document: String(parts[1]), layerName })
  }
  return { sealed, unreadable }
}
