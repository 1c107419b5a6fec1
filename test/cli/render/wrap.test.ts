// Lines of a plan on a terminal: broken between words, continued below their text, coloured as before.
import t from 'tap'
import { wrapLines } from '../../../cli/render/wrap.js'

t.test('a line that is too wide goes on below its text, whatever sign it has', async (t) => {
  t.equal(wrapLines('    ~ name: one two three', 20), '    ~ name: one two\n      three')
  t.equal(
    wrapLines('        - You answer tickets\n  + short', 20),
    '        - You answer\n          tickets\n  + short',
  )
  t.equal(wrapLines('    + ["aaaaaa","bbbbbb"]', 20), '    + ["aaaaaa",\n      "bbbbbb"]')
})

t.test('colours do not count, and a word that is too long stays whole', async (t) => {
  const red = '\u001b[31m- one two three\u001b[0m'
  t.equal(wrapLines(red, 15), red)
  t.equal(wrapLines(`    ${red}`, 14), '    \u001b[31m- one two\n      three\u001b[0m')
  t.equal(wrapLines('see https://example.com/a/long/path now', 20), 'see\nhttps://example.com/a/long/path\nnow')
})

t.test('characters of two columns count twice, and lines may break between them', async (t) => {
  t.equal(wrapLines('+ 你好世界你好', 10), '+ 你好世界\n  你好')
})
