// Progress line of a transfer on a terminal.
import t from 'tap'
import { TransferLine } from '../../cli/documents/transfer-line.js'
import { sized } from '../../cli/render/text.js'

async function* pieces(count: number, sizeBytes: number) {
  for (let number = 0; number < count; number++) yield new Uint8Array(sizeBytes)
}

async function shown(line: (output: { live(text: string): void }) => TransferLine, count: number, sizeBytes: number) {
  const texts: string[] = []
  let bytes = 0
  for await (const piece of line({ live: (text) => texts.push(text) }).through(pieces(count, sizeBytes))) {
    bytes += piece.length
  }
  return { texts, bytes }
}

t.test('the line shows how much has been transferred, and is erased at the end', async (t) => {
  const { texts, bytes } = await shown((output) => new TransferLine(output, 'a.pdf', 3e6), 3, 1e6)
  t.same(texts, ['a.pdf: 1.0 MB of 3.0 MB', 'a.pdf: 2.0 MB of 3.0 MB', 'a.pdf: 3.0 MB of 3.0 MB', ''])
  t.equal(bytes, 3e6)
})

t.test('the line is drawn only when its text changes, and shows no total when the size is unknown', async (t) => {
  const { texts } = await shown((output) => new TransferLine(output, 'backup', undefined), 1000, 10_000)
  t.equal(texts.filter((text) => text === 'backup: 1.0 MB').length, 1)
  t.ok(texts.length < 250, `${texts.length} lines`)
})

t.test('an aborted transfer erases its line', async (t) => {
  const texts: string[] = []
  for await (const _ of new TransferLine({ live: (text) => texts.push(text) }, 'x', 10).through(pieces(2, 5))) break
  t.equal(texts.at(-1), '')
})

t.test('sizes are rounded to a readable number of digits', async (t) => {
  t.equal(
    [0, 1, 999, 1000, 14_400, 999_999, 1e6, 99.4e6, 1.25e9].map(sized).join(', '),
    '0 bytes, 1 byte, 999 bytes, 1.0 kB, 14 kB, 1000 kB, 1.0 MB, 99 MB, 1.3 GB',
  )
})
