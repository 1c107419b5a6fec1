// `documents` commands that move annotations and values of forms between files and the server.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { formPdf } from '../support/pdf/form-pdf.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const folder = scratchFolder(t)
const data = join(folder, 'data')
mkdirSync(data)
const server = await runServer(t, { folder: data })
const env = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }
const documents = (...words: readonly string[]) => agentsHere(['documents', ...words], { folder, env })

writeFileSync(join(folder, 'form.pdf'), formPdf())
await documents('upload', 'form.pdf', '--id', 'form')

t.test('annotations go into a layer and come out of it, and what is skipped is said', async (t) => {
  writeFileSync(
    join(folder, 'in.xfdf'),
    '<xfdf><annots><square page="0" rect="9,9,50,50" name="box"/><sound page="0"/></annots></xfdf>',
  )
  const run = await documents('import-annotations', 'form', 'in.xfdf')
  t.equal(run.code, 0, run.stderr)
  t.match(run.stdout, /Created 1, updated 0, unchanged 0, skipped 1/)
  t.match(run.stderr, /Line 1, sound: /)
  t.equal((await documents('export-annotations', 'form')).code, 0)
  t.match(readFileSync(join(folder, 'form.xfdf'), 'utf8'), /<square page="0" rect="[^"]+" [^>]*name="box"/)
})

t.test('values of a form are printed, written and set', async (t) => {
  writeFileSync(join(folder, 'in.json'), JSON.stringify({ values: { plain: 'Жук', nobody: 'x' } }))
  const set = await documents('form-values', 'form', '--set', 'in.json')
  t.equal(set.code, 0, set.stderr)
  t.match(set.stdout, /Changed 1 field, skipped 1/)
  t.match(set.stderr, /Field nobody: /)
  t.match((await documents('form-values', 'form')).stdout, /"plain": "Жук"/)
  t.equal((await documents('form-values', 'form', '--format', 'fdf', '--out', 'out.fdf')).code, 0)
  t.match(readFileSync(join(folder, 'out.fdf'), 'latin1'), /^%FDF-1\.2[\s\S]*<feff04160443043a>/)
  t.equal((await documents('form-values', 'form', '--set', 'out.fdf')).code, 0)
  t.equal((await documents('form-values', 'form', '--format', 'csv')).code, 64)
  t.match((await documents('form-values', 'form', '--set', 'none.fdf')).stderr, /documents\.no-file/)
})

t.test('values that were printed or written are set again, and change nothing', async (t) => {
  const values = { plain: 'a\u0085\u00ad\u202eb', 'person.last': 'Bo', check: true, list: ['one', '3'], color: 'green' }
  writeFileSync(join(folder, 'given.json'), JSON.stringify(values))
  t.match((await documents('form-values', 'form', '--set', 'given.json')).stdout, /Changed 5 fields, skipped 0/)
  const printed = await documents('form-values', 'form')
  writeFileSync(join(folder, 'printed.json'), printed.stdout)
  t.match(JSON.parse(printed.stdout), values)
  for (const format of ['json', 'fdf', 'xfdf']) {
    t.equal((await documents('form-values', 'form', '--format', format, '--out', `written.${format}`)).code, 0)
  }
  for (const file of ['printed.json', 'written.json', 'written.fdf', 'written.xfdf']) {
    const set = await documents('form-values', 'form', '--set', file)
    t.match(set.stdout, /Changed 0 fields, skipped 0/, `${file}: ${set.stderr}`)
  }
  writeFileSync(join(folder, 'bad.json'), '[1]')
  t.not((await documents('form-values', 'form', '--set', 'bad.json')).code, 0)
})
