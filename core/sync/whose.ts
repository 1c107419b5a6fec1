// Whose the listed objects are. What carries the mark of another project is left out of a sync, and so is what has no mark
// and only such objects use (a skill).
import type { ObjectOfAnother } from '../plan/marks.js'
import type { Discovered } from './discover.js'
import { requestedBy } from './requested.js'

export interface Split {
  /** Objects that the file may declare. */
  readonly objects: readonly Discovered[]
  readonly others: readonly ObjectOfAnother[]
}

/** Sets aside the objects of other projects, except those that `take` names. */
export function setAsideOthers(objects: readonly Discovered[], take: readonly string[]): Split {
  const isTheirs = ({ otherProject }: Discovered) => otherProject !== undefined && !take.includes(otherProject)
  const theirs = objects.filter(isTheirs)
  if (theirs.length === 0) return { objects, others: [] }
  const rest = objects.filter((object) => !isTheirs(object))
  const usedByThem = usersOf(theirs)
  const usedByRest = usersOf(rest)
  const projectOf = (object: Discovered): string | undefined => {
    if (!isOfNobody(object) || usedByRest.has(keyOf(object))) return undefined
    return usedByThem.get(keyOf(object))?.otherProject
  }
  const ofTheirs = rest.filter((object) => projectOf(object) !== undefined)
  const others = [...theirs, ...ofTheirs].map((object) => ({
    project: object.otherProject ?? projectOf(object) ?? '',
    what: `${object.provider}.${object.kind}`,
    id: object.object.id,
  }))
  return { objects: rest.filter((object) => !ofTheirs.includes(object)), others }
}

/** Returns the objects of this project, and what has no mark and is used by them. */
export function onlyOurs(objects: readonly Discovered[]): readonly Discovered[] {
  const isOurs = ({ isOurs: known, isExternal, markedName }: Discovered) =>
    known || isExternal === true || markedName !== undefined
  const used = usersOf(objects.filter(isOurs))
  return objects.filter((object) => isOurs(object) || (isOfNobody(object) && used.has(keyOf(object))))
}

/** True if nothing says whose the object is, because its kind has no marks. */
function isOfNobody({ handler, address, isExternal }: Discovered): boolean {
  return handler.mark === undefined && address === undefined && isExternal !== true
}

/** Returns one user of every object that these use. */
function usersOf(objects: readonly Discovered[]): ReadonlyMap<string, Discovered> {
  return new Map(
    objects.flatMap((user) =>
      requestedBy(user).map(({ kind, id }) => [`${user.provider} ${kind} ${id}`, user] as const),
    ),
  )
}

function keyOf({ provider, kind, object }: Discovered): string {
  return `${provider} ${kind} ${object.id}`
}
