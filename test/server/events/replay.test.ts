// A client that lists once and follows events has the same state as one that lists again: random edits of two layers by two
// concurrent writers, with undos.
import fc from 'fast-check'
import t from 'tap'
import { formPdf, numbered } from '../../support/pdf/form-pdf.js'
import { change, layerPath, titled } from '../changes/support/changing.js'
import { EventReader } from '../support/events.js'
import { follow, listed, readNamed } from '../support/followed.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const pdf = formPdf()

/** Text fields on the first page, one on both pages, a checkbox and a list. */
const edits = fc.oneof(
  fc
    .record({ field: fc.constantFrom(10, 12, 42), text: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }) })
    .map(({ field, text }) => ({ type: 'forms.setValue', field: numbered(field), value: { value: text } })),
  fc.boolean().map((checked) => ({ type: 'forms.setValue', field: numbered(17), value: { checked } })),
  fc.constant({ type: 'forms.reset', fields: [numbered(10), numbered(42)] }),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 }).map((title) => titled(title)),
)
const script = fc.array(
  fc.record({
    layerName: fc.constantFrom('one', 'one', 'two'),
    ops: fc.array(edits, { minLength: 1, maxLength: 3 }),
    isUndone: fc.boolean(),
  }),
  { minLength: 4, maxLength: 12 },
)

let documents = 0
t.test('following events results in the same state as listing', async (t) => {
  await fc.assert(
    fc.asyncProperty(script, script, async (mine, theirs) => {
      documents += 1
      const docId = await server.upload(pdf, { docId: `replayed-${documents}` })
      const layer = { docId, layerName: 'one' }
      await write(docId, 'before', mine.slice(0, 2))
      const known = await listed(api, layer)
      await Promise.all([write(docId, 'mine', mine), write(docId, 'theirs', theirs)])
      const { auditHead, ...expected } = await listed(api, layer)
      const reader = await EventReader.open(api, `${layerPath(layer)}/events`, {
        'last-event-id': String(known.auditHead),
      })
      // The last change is a marker that the reader waits for.
      done(await change(api, layer, { opId: 'mark', ops: [titled('the end')] }))
      let last = known.auditHead
      for (;;) {
        const [event] = await reader.take(1)
        if (event?.data['idempotencyKey'] === 'mark') break
        if (!event || Number(event.id) <= last) throw new Error('The event ids do not increase')
        last = Number(event.id)
        follow(known, event)
      }
      await reader.close()
      const { auditHead: _head, ...followed } = known
      if (last > auditHead) throw new Error('auditHead is lower than an event id')
      readNamed(followed, expected)
      t.same(followed, expected)
    }),
    { numRuns: 4 },
  )
})

async function write(
  docId: string,
  writer: string,
  steps: typeof script extends fc.Arbitrary<infer Steps> ? Steps : never,
) {
  for (const [index, { layerName, ops, isUndone }] of steps.entries()) {
    const opId = `${writer}-${index}`
    const layer = { docId, layerName }
    done(await change(api, layer, { opId, ops }, ...(isUndone ? [{ opId: `${opId}-back`, undoOf: opId }] : [])))
  }
}
