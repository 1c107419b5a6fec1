// The console has words for everything that the logs can name, in every language.
import t from 'tap'
import { historyChinese } from '../../server/browser/console/languages/history-chinese.js'
import { historyEnglish } from '../../server/browser/console/languages/history-english.js'
import { historyGerman } from '../../server/browser/console/languages/history-german.js'
import { readKinds } from '../../server/rows/read.js'
import { opContracts } from '../../workers/contract/ops/index.js'

t.test('every op of a change and every kind of read has words', async (t) => {
  // What changes of annotations do is told by their effects.
  const ofEffects = new Set(['annotations.create', 'annotations.update', 'annotations.delete'])
  const named = [...opContracts.map(({ type }) => type).filter((type) => !ofEffects.has(type)), ...readKinds]
  t.ok(named.length > 30)
  for (const words of [historyEnglish, historyGerman, historyChinese]) {
    t.strictSame(
      named.filter((name) => !Object.hasOwn(words, name)),
      [],
    )
    t.strictSame(Object.keys(words).sort(), Object.keys(historyEnglish).sort())
  }
})
