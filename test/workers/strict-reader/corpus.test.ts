// The strict reader over every file of the corpus, with qpdf as judge.
import t from 'tap'
import { openStrict } from '../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../workers/strict-reader/strict-document.js'
import { corpus, needsCorpus } from '../../support/pdf/corpus.js'
import { disagreements, qpdfObjects } from '../../support/pdf/strict-judge.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

// qpdf starts once for every file.
t.setTimeout(isLong ? longTimeoutMs : 60_000)
/** Every fourth file; in long runs, all. */
const files = (needsCorpus.skip ? [] : corpus()).filter((_, index) => isLong || index % 4 === seed % 4)

t.test('every object of a real file is read as qpdf reads it, or refused', needsCorpus, async (t) => {
  let [agreed, opened] = [0, 0]
  for (const { name, isHostile, source } of files) {
    if (isHostile) continue
    const password = source.password && Buffer.from(source.password).toString()
    try {
      const document = openStrict(source.path, { password: source.password })
      const newest = document.revisions.at(-1)
      const theirs = qpdfObjects(source.path, password)
      // qpdf cannot read some files as a whole: there is nothing to compare.
      if (newest === undefined || theirs === undefined) continue
      const result = disagreements(document, newest, theirs)
      document.close()
      opened++
      agreed += result.agreed
      t.same(result.differing, [], name)
    } catch (error) {
      if (!(error instanceof NotStrict)) throw error
      t.match(error.message, /\w/, `${name}: ${error.message}`)
    }
  }
  t.ok(opened > files.length / 2 && agreed > 10 * files.length, `${agreed} objects of ${opened} files`)
})
