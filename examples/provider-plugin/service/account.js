// One account of the service: what may be done with its objects, apart from any HTTP.
import { randomUUID } from 'node:crypto'
import { checkMembers, collections, patched, Refusal } from './collections.js'

/** @import { Collection, Stored } from './collections.js' */

export class Account {
  /** By path, `/vaults/<id>/credentials`. @type {Map<string, Map<string, Stored>>} */
  #objects = new Map()
  /** Idempotency key to the path of what it made. @type {Map<string, { path: string, id: string }>} */
  #made = new Map()

  /** Top-level objects, as the conformance suite wants them. */
  objects() {
    return Object.entries(collections).flatMap(([path, { kind }]) =>
      [...this.#at(`/${path}`).values()].map(({ id, name }) => ({ kind, id, name: String(name ?? '') })),
    )
  }

  /**
   * @param {string} path
   * @param {{ after?: string | undefined, limit: number }} page
   */
  list(path, { after, limit }) {
    const all = [...this.#at(path).values()]
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    const data = all.slice(start, start + limit)
    const next = start + limit < all.length ? data.at(-1)?.id : undefined
    return { data: data.map((object) => shown(path, object)), next_page: next ?? null }
  }

  /**
   * @param {string} path
   * @param {string} id
   */
  read(path, id) {
    return shown(path, this.#find(path, id))
  }

  /**
   * @param {string} path
   * @param {Record<string, unknown>} body
   * @param {string | undefined} key
   */
  create(path, body, key) {
    const before = key === undefined ? undefined : this.#made.get(key)
    if (before && this.#at(before.path).has(before.id)) return this.read(before.path, before.id)
    const collection = collectionOf(path)
    checkMembers(collection, body)
    this.#refuseTakenName(path, collection, body)
    this.#refuseUnknownReferences(body)
    const id = `${collection.kind}_${randomUUID()}`
    const object = {
      ...patched({ id, created_at_ms: Date.now() }, body),
      ...(collection.hasVersions && { version: 1 }),
    }
    this.#at(path).set(id, object)
    if (key !== undefined) this.#made.set(key, { path, id })
    return shown(path, object)
  }

  /**
   * @param {string} path
   * @param {string} id
   * @param {Record<string, unknown>} body
   */
  update(path, id, body) {
    const { if_version, ...patch } = body
    const collection = collectionOf(path)
    const object = this.#find(path, id)
    checkMembers(collection, body, collection.hasVersions ? ['if_version'] : [])
    const fixed = Object.keys(patch).find((member) => collection.fixed?.includes(member))
    if (fixed !== undefined) throw new Refusal(400, 'invalid', `${fixed} cannot be changed`)
    if (collection.hasVersions && if_version !== object['version'])
      throw new Refusal(409, 'version_conflict', `version ${object['version']} is the present one`)
    this.#refuseUnknownReferences(patch)
    const changed = {
      ...patched(object, patch),
      ...(collection.hasVersions && { version: Number(object['version']) + 1 }),
    }
    this.#at(path).set(id, changed)
    return shown(path, changed)
  }

  /**
   * @param {string} path
   * @param {string} id
   */
  remove(path, id) {
    this.#find(path, id)
    const user = [...this.#at('/agents').values()].find((agent) =>
      [agent['environment_id'], agent['vault_id']].includes(id),
    )
    if (user) throw new Refusal(409, 'in_use', `agent ${user.id} uses it`)
    this.#at(path).delete(id)
    return {}
  }

  /**
   * @param {string} path
   * @param {Collection} collection
   * @param {Record<string, unknown>} body
   */
  #refuseTakenName(path, { kind }, { name }) {
    if (kind !== 'credential') return
    const isTaken = [...this.#at(path).values()].some((other) => other['name'] === name)
    if (isTaken) throw new Refusal(409, 'name_taken', `the vault holds a credential ${name}`)
  }

  /** @param {Record<string, unknown>} body */
  #refuseUnknownReferences({ environment_id, vault_id }) {
    for (const [path, id] of /** @type {const} */ ([
      ['/environments', environment_id],
      ['/vaults', vault_id],
    ]))
      if (id !== undefined && id !== null && !this.#at(path).has(String(id)))
        throw new Refusal(400, 'invalid', `there is no ${collectionOf(path).kind} ${id}`)
  }

  /**
   * @param {string} path
   * @param {string} id
   */
  #find(path, id) {
    const found = this.#at(path).get(id)
    if (!found) throw new Refusal(404, 'not_found', `no ${collectionOf(path).kind} ${id}`)
    return found
  }

  /** @param {string} path */
  #at(path) {
    const found = this.#objects.get(path) ?? new Map()
    this.#objects.set(path, found)
    return found
  }
}

/** @param {string} path */
function collectionOf(path) {
  const found = collections[path.split('/').at(-1) ?? '']
  if (!found) throw new Refusal(404, 'not_found', `${path} does not exist`)
  return found
}

/**
 * @param {string} path
 * @param {Stored} object
 */
function shown(path, object) {
  const hidden = collectionOf(path).hidden ?? []
  return Object.fromEntries(Object.entries(object).filter(([member]) => !hidden.includes(member)))
}
