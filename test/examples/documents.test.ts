// The example for documents, run like by a user: a server, the script, and its files as read by other programs.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { printed, root, scratchFolder, start } from '../cli/program.js'
import { judged, needs } from '../support/pdf/judges.js'

interface Server {
  readonly url: string
  readonly apiToken: string
}

async function serve(t: Test, folder: string): Promise<Server> {
  const running = start(['serve', '--port', '0', '--json'], { folder })
  t.teardown(() => running.child.kill('SIGKILL'))
  await printed(running, 'stdout', '\n')
  return JSON.parse(running.seen.stdout.split('\n')[0] ?? '')
}

async function read(path: string, { url, apiToken }: Server): Promise<never> {
  const answer = await fetch(url + path, { headers: { authorization: `Bearer ${apiToken}` } })
  return (await answer.json()) as never
}

interface Listed {
  readonly annotations: readonly { readonly subtype: string; readonly author: string | null; readonly ref: unknown }[]
}

t.test(
  'a review of an agreement in two layers: comments, replies, a form, an undo, a redaction, a flatten',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const folder = scratchFolder(t)
    const server = await serve(t, folder)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(root, 'examples/documents/review.mjs'), folder],
      { env: { ...process.env, STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }, encoding: 'utf8' },
    )
    t.equal(status, 0, stderr)
    t.match(stdout, /download the finance layer/)

    const files = Object.fromEntries(['legal', 'finance'].map((name) => [name, join(folder, `${name}.pdf`)] as const))
    for (const file of Object.values(files)) judged('qpdf', ['--check', file])
    const text = (file = '') => judged('pdftotext', ['-layout', file, '-']).toString()
    const legal = text(files['legal'])
    t.match(legal, 'Supply agreement')
    t.notMatch(legal, 'DE02', 'the account number is removed from the redacted layer')
    const raw = judged('qpdf', ['--qdf', '--object-streams=disable', files['legal'] ?? '', '-']).toString('latin1')
    t.notMatch(raw, /DE02|2020 51/, 'from every object of it')
    const finance = text(files['finance'])
    t.match(finance, 'DE02 1203 0000 0000 2020 51', 'and is unchanged in the other layer')
    t.match(finance, 'Łódź Trading', 'the field value is text of the flattened page')

    const { documents } = (await read('/v1/tenants/example/documents', server)) as {
      readonly documents: readonly { readonly id: string }[]
    }
    const layers = `/v1/docs/${documents[0]?.id}/layers`
    const inLegal: Listed = await read(`${layers}/legal/annotations/items`, server)
    t.match(
      inLegal.annotations.filter(({ subtype }) => subtype !== 'widget'),
      [
        { subtype: 'highlight', author: 'Ada' },
        { subtype: 'text', author: 'Grace', reply: { to: inLegal.annotations[0]?.ref, type: 'reply' } },
      ],
      'the strikeout was undone, and the redaction annotation was removed with the content',
    )
    t.same(await read(`${layers}/finance/annotations/items`, server).then(({ annotations }: Listed) => annotations), [])
    const untouched: Listed = await read(`${layers}/default/annotations/items`, server)
    t.equal(untouched.annotations.length, 2, 'an unedited layer has the two widgets of the file')

    // A picture that is all of one colour where the account number was, and the blue box of the other layer.
    t.same([...coloursAt(files['legal'], { x: 170, y: 128, width: 160, height: 14 })], ['#000000'])
    t.ok(coloursAt(files['finance'], { x: 150, y: 120, width: 200, height: 34 }).has('#0050d4'))
  },
)

/** The colours of a part of the second page, in points from its top left, as poppler draws it. */
function coloursAt(
  file: string | undefined,
  { x, y, width, height }: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>,
): ReadonlySet<string> {
  const part = ['-x', x, '-y', y, '-W', width, '-H', height].map(String)
  const picture = judged('pdftoppm', ['-r', '72', '-f', '2', '-l', '2', ...part, file ?? ''])
  const pixels = picture.subarray(picture.length - width * height * 3)
  const colours = new Set<string>()
  for (let at = 0; at + 2 < pixels.length; at += 3) colours.add(`#${pixels.subarray(at, at + 3).toString('hex')}`)
  return colours
}
