// Random changes, replays, undos, redos and restarts in two layers, compared with a small model: reads equal the model, and
// replayed responses are unchanged.
import fc from 'fast-check'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { type Running, runServer } from '../support/running-server.js'
import { change, changesIn, type Entry, layerPath } from './support/changing.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const folder = scratchFolder(t, 'data')
let server: Running = await runServer(t, { folder })
const pdf = onePage('0 0 100 100 re f')
const layers = ['default', 'draft'] as const
type LayerName = (typeof layers)[number]
type Members = Readonly<Record<string, string>>

/** Values of each member before and after the change. */
type Inverse = readonly {
  readonly key: string
  readonly before: string | undefined
  readonly after: string | undefined
}[]

interface Made {
  readonly layerName: LayerName
  readonly entry: Entry
  readonly answer: unknown
  readonly inverse: Inverse
}

class Model {
  readonly members: Record<LayerName, Members> = { default: {}, draft: {} }
  readonly made: Made[] = []

  set(layerName: LayerName, patch: Readonly<Record<string, string | null>>): Inverse {
    const now = this.members[layerName]
    return this.#write(
      layerName,
      Object.entries(patch).map(([key, value]) => ({ key, before: now[key], after: value ?? undefined })),
    )
  }

  /** Skips members that no longer have the value that the change set. */
  undo({ layerName, inverse }: Made): Inverse {
    const now = this.members[layerName]
    const left = inverse.filter(({ key, after }) => now[key] === after)
    return this.#write(
      layerName,
      left.map(({ key, before, after }) => ({ key, before: after, after: before })),
    )
  }

  #write(layerName: LayerName, all: Inverse): Inverse {
    const next: Record<string, string> = { ...this.members[layerName] }
    for (const { key, after } of all) {
      if (after === undefined) delete next[key]
      else next[key] = after
    }
    this.members[layerName] = next
    return all.filter(({ before, after }) => before !== after)
  }
}

const layerName = fc.constantFrom(...layers)
const patch = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3', null), {
  minKeys: 1,
  noNullPrototype: true,
})
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('change' as const), layerName, patch }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)

t.test('after any requests, layers read as the model predicts, and replays are unchanged', async (t) => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    const docId = await server.upload(pdf)
    const model = new Model()
    const send = async (name: LayerName, entry: Entry): Promise<unknown> => {
      const [answer] = changesIn(await change(server.api, { docId, layerName: name }, entry))
      return answer
    }
    const make = async (name: LayerName, entry: Entry, inverse: () => Inverse) => {
      const answer = await send(name, entry)
      if (Object(answer).status !== 'applied') throw new Error(JSON.stringify(answer))
      model.made.push({ layerName: name, entry, answer, inverse: inverse() })
    }
    for (const [index, one] of steps.entries()) {
      const opId = `op-${index}`
      const named = 'which' in one ? model.made[one.which % Math.max(1, model.made.length)] : undefined
      if (one.do === 'change') {
        const ops = [{ type: 'metadata.updateCustom', patch: one.patch }]
        await make(one.layerName, { opId, ops }, () => model.set(one.layerName, one.patch))
      } else if (one.do === 'undo' && named) {
        await make(named.layerName, { opId, undoOf: named.entry.opId }, () => model.undo(named))
      } else if (one.do === 'replay' && named) {
        t.same(await send(named.layerName, named.entry), named.answer)
      } else if (one.do === 'restart') {
        await server.close()
        server = await runServer(t, { folder })
      }
    }
    for (const name of layers) {
      const path = layerPath({ docId, layerName: name })
      const read = (await server.api.get(`${path}/metadata/custom`)).json()
      const { layerVersion } = Object((await server.api.get(`${path}/manifest`)).json())
      // A change without effect is answered normally, and does not count as an edit of the layer.
      const edits = model.made.filter((one) => one.layerName === name && one.inverse.length > 0)
      if (!t.same(read, model.members[name]) || !t.equal(layerVersion, edits.length))
        throw new Error('The layer differs from the model')
    }
  })
  await fc.assert(property, { seed, numRuns: isLong ? 300 : 5, endOnFailure: !isLong })
})
