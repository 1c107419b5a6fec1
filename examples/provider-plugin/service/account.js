// One account of the service: the operations on its objects, without HTTP.
import { randomUUID } from 'node:crypto'
import { checkMembers, collections, patched, Refusal } from './collections.js'

/** @import { Collection, Stored } from './collections.js' */

export class Account {
  /** Objects by the path of their collection, `/vaults/<id>/credentials`. @type {Map<string, Map<string, Stored>>} */
  #objects = new Map()
  /** Place of the created object by idempotency key. @type {Map<string, { path: string, id: string }>} */
  #made = new Map()

  /** Returns the top-level objects in the form that the conformance suite expects. */
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
    const now = Date.now()
    const object = {
      ...patched({ id, created_at_ms: now, updated_at_ms: now }, body),
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
    this.#refuseTakenName(path, collection, patch, id)
    this.#refuseUnknownReferences(patch)
    const changed = {
      ...patched(object, patch),
      updated_at_ms: Date.now(),
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
    const user = [...this.#at('/agents').values()].find((agent) => referencesOf(agent).some((one) => one[1] === id))
    if (user) throw new Refusal(409, 'in_use', `agent ${user.id} uses it`)
    this.#at(path).delete(id)
    return {}
  }

  /**
   * @param {string} path
   * @param {Collection} collection
   * @param {Record<string, unknown>} body
   * @param {string} [self] the object that has the name already
   */
  #refuseTakenName(path, { kind, hasUniqueNames }, { name }, self) {
    if (!hasUniqueNames || name === undefined) return
    const isTaken = [...this.#at(path).values()].some((other) => other['name'] === name && other.id !== self)
    if (isTaken) throw new Refusal(409, 'name_taken', `there is a ${kind} ${name} already`)
  }

  /** @param {Record<string, unknown>} body */
  #refuseUnknownReferences(body) {
    for (const [path, id] of referencesOf(body))
      if (!this.#at(path).has(id)) throw new Refusal(400, 'invalid', `there is no ${collectionOf(path).kind} ${id}`)
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

/**
 * Returns the objects that an agent uses, with the paths of their collections.
 * @param {Record<string, unknown>} agent
 * @returns {readonly (readonly [path: string, id: string])[]}
 */
function referencesOf({ environment_id, vault_id, skill_ids }) {
  const skills = Array.isArray(skill_ids) ? skill_ids : []
  const all = [['/environments', environment_id], ['/vaults', vault_id], ...skills.map((id) => ['/skills', id])]
  return all.flatMap(([path, id]) => (id === undefined || id === null ? [] : [[String(path), String(id)]]))
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
  const { hidden = [], sets = [] } = collectionOf(path)
  const members = Object.entries(object).filter(([member]) => !hidden.includes(member))
  return Object.fromEntries(
    members.map(([member, value]) => [
      member,
      sets.includes(member) && Array.isArray(value) ? [...value].sort() : value,
    ]),
  )
}
