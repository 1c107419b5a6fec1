// Line diffs in plans.
import fc from 'fast-check'
import t from 'tap'
import { lineDiff } from '../../../cli/render/line-diff.js'

const line = fc.constantFrom('a', 'b', 'c', 'd', '')
const text = fc.array(line, { maxLength: 25 })

t.test('removed and equal lines make up the old text, added and equal lines the new one', async (t) => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after)
      let old = 0
      let fresh = 0
      for (const { type, text } of lines) {
        if (type === 'skipped') {
          const skipped = Number(text)
          if (before.slice(old, old + skipped).join('\n') !== after.slice(fresh, fresh + skipped).join('\n'))
            return false
          old += skipped
          fresh += skipped
        } else {
          if (type !== 'added' && before[old++] !== text) return false
          if (type !== 'removed' && after[fresh++] !== text) return false
        }
      }
      return old === before.length && fresh === after.length
    }),
  )
  t.pass()
})

t.test('equal lines are folded, except two around each difference', async (t) => {
  const before = Array.from({ length: 20 }, (_, index) => `line ${index}`)
  const after = before.with(10, 'changed')
  t.same(
    lineDiff(before, after).map(({ type, text }) => `${type} ${text}`),
    [
      'skipped 8',
      'same line 8',
      'same line 9',
      'removed line 10',
      'added changed',
      'same line 11',
      'same line 12',
      'skipped 7',
    ],
  )
})

t.test('texts too large to compare are shown as removed and added', async (t) => {
  const before = Array.from({ length: 3000 }, (_, index) => `old ${index}`)
  const after = Array.from({ length: 3000 }, (_, index) => `new ${index}`)
  const lines = lineDiff(before, after)
  t.equal(lines.length, 6000)
  t.equal(lines[2999]?.type, 'removed')
  t.equal(lines[3000]?.type, 'added')
})
