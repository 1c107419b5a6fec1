// Collections of objects in memory, with the members that each of them takes.

/**
 * @typedef {{ id: string, created_at_ms: number, updated_at_ms: number, [member: string]: unknown }} Stored
 * @typedef {object} Collection
 * @property {string} kind
 * @property {readonly string[]} members members that a create takes
 * @property {readonly string[]} [fixed] members that an update does not take
 * @property {readonly string[]} [hidden] members that are never returned
 * @property {readonly string[]} [sets] members that are returned in an order of the service's own
 * @property {true} [hasVersions]
 * @property {true} [hasUniqueNames]
 */

/** Collections by their place in the path. @type {Readonly<Record<string, Collection>>} */
export const collections = {
  environments: {
    kind: 'environment',
    members: ['name', 'description', 'runtime', 'packages', 'metadata'],
    fixed: ['runtime'],
    sets: ['packages'],
    hasUniqueNames: true,
  },
  vaults: { kind: 'vault', members: ['name', 'metadata'] },
  credentials: {
    kind: 'credential',
    members: ['name', 'url', 'token'],
    fixed: ['name', 'url'],
    hidden: ['token'],
    hasUniqueNames: true,
  },
  skills: {
    kind: 'skill',
    members: ['name', 'description', 'files', 'metadata'],
    hidden: ['files'],
    hasUniqueNames: true,
  },
  agents: {
    kind: 'agent',
    members: ['name', 'description', 'model', 'system', 'environment_id', 'vault_id', 'skill_ids', 'tools', 'metadata'],
    sets: ['skill_ids', 'tools'],
    hasVersions: true,
  },
  webhooks: { kind: 'webhook', members: ['name', 'url', 'events', 'enabled'], sets: ['events'] },
}

export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

/**
 * Refuses members that the collection does not know.
 * @param {Collection} collection
 * @param {Record<string, unknown>} body
 * @param {readonly string[]} [more] members taken besides
 */
export function checkMembers({ members, kind }, body, more = []) {
  const strange = Object.keys(body).find((member) => !members.includes(member) && !more.includes(member))
  if (strange !== undefined) throw new Refusal(400, 'invalid', `${kind}: ${strange} is unknown`)
}

/**
 * Applies a patch: maps are merged and lose members that are null; everything else is replaced.
 * @param {Stored} object
 * @param {Record<string, unknown>} patch
 * @returns {Stored}
 */
export function patched(object, patch) {
  const { metadata, ...rest } = patch
  const merged = { ...Object(object['metadata']), ...Object(metadata) }
  const kept = Object.entries(merged).filter(([, value]) => value !== null)
  return { ...object, ...rest, metadata: Object.fromEntries(kept) }
}
