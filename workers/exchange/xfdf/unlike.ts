// Compares what a file states with an annotation. Numbers in a file are rounded, so that near ones count as equal, and
// so do texts that differ by characters that XML cannot contain.
import { xmlText } from '../xml/write-xml.js'
import type { Members } from './read-shapes.js'

/** Largest difference in points that rounding makes. */
const grain = 0.005

/** Returns the members that differ from the current ones. */
export const unlike = (members: Members, now: Members): Members =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => !isLike(value, now[name])))

function isLike(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other) <= grain
  if (typeof one === 'string' && typeof other === 'string') return xmlText(one) === xmlText(other)
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return (one ?? null) === (other ?? null)
  }
  const [ones, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  const names = new Set([...ones.keys(), ...others.keys()])
  return [...names].every((name) => isLike(ones.get(name), others.get(name)))
}
