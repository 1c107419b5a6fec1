// Helpers for what `agents sync` writes: members without a value are left out, and so is the mark, which the engine
// owns.

/** @import { Json, JsonObject } from 'steward/plugin' */

/**
 * Returns the members without empty ones.
 * @param {Readonly<Record<string, Json | undefined>>} members
 * @returns {JsonObject}
 */
export function saidOf(members) {
  const said = Object.entries(members).filter(([, value]) => {
    if (value === undefined || value === null || value === '') return false
    return typeof value !== 'object' || Object.keys(value).length > 0
  })
  return Object.fromEntries(said)
}

/**
 * @param {Json | undefined} metadata
 * @returns {JsonObject}
 */
export function ownMetadata(metadata) {
  const own = Object.entries(Object(metadata)).filter(([key]) => !key.startsWith('agents.'))
  return Object.fromEntries(own)
}
