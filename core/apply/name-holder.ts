// Says who has a name that the provider refused: an object of another project is nothing to bind.
import { Problem } from '../diagnostic.js'
import { explainFailure } from '../plan/explain.js'
import { markIn } from '../plan/marks.js'
import type { Change } from '../plan/plan.js'
import { isFailure } from '../plugin/failure.js'
import type { Remote } from '../plugin/handler.js'
import type { Address } from '../value/address.js'
import { shellWord } from '../value/shell-word.js'
import { expandDesired } from './record.js'
import type { Task } from './work.js'

/** Returns the error; one that refuses a name becomes a problem that names the object which has it, if a list shows it. */
export async function withNameHolder(task: Task, change: Change, error: unknown): Promise<unknown> {
  if (!isFailure(error, 'nameTaken') || change.resource === undefined) return error
  const holder = await findHolder(task, change.resource).catch(() => undefined)
  if (holder === undefined) return error
  const { address, work } = task
  const id = change.resource.handler.outputs(holder).id
  const mark = markIn(change.resource.handler, change.resource.handler.observed(holder))
  const other = mark === undefined || mark.project === work.projectName ? undefined : mark.project
  const whose = other === undefined ? '' : ` and belongs to the project "${other}"`
  const command = `agents import ${shellWord(address)} ${shellWord(id)}`
  const ours = [...work.state.rows].find(([, row]) => row.id === id)?.[0]
  const fix =
    ours !== undefined
      ? swapped(ours)
      : other === undefined
        ? `Choose another name, or bind that object: ${command}`
        : `Choose another name. The object may be taken over only if that project gives it up: ${command} --take ${shellWord(other)}`
  const mask = (text: string) => work.options.project.variables.mask(text)
  const [first] = explainFailure(error, address, mask)
  if (first === undefined) return error
  return new Problem([{ ...first, detail: `${first.detail ?? ''}\n${id} has the name${whose}.`, fix }], {
    cause: error,
  })
}

/** Says how two resources of the project exchange their names where names are unique. */
function swapped(ours: Address): string {
  return `It is ${ours} of this project. To exchange names, give ${ours} a name that is free ("agents state mv", and its key in the file), apply, apply again, and rename it to what it is to be.`
}

/** Returns the listed object with the name that the resource wants. */
async function findHolder(
  { call, work }: Task,
  resource: NonNullable<Change['resource']>,
): Promise<Remote | undefined> {
  const { handler } = resource
  if (!handler.list || !handler.name) return undefined
  const wanted = new Set(Object.values(expandDesired(resource, work.values).own))
  const own = work.state.rows.get(resource.address)?.id
  for await (const remote of handler.list(call)) {
    const name = handler.name(remote)
    if (name !== undefined && wanted.has(name) && handler.outputs(remote).id !== own) return remote
  }
  return undefined
}
