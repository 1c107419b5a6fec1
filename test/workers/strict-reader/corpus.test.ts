// The strict reader over every file of the corpus, with qpdf as judge.
import t from 'tap'
import { openStrict } from '../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../workers/strict-reader/strict-document.js'
import { corpus, needsCorpus } from '../../support/pdf/corpus.js'
import { disagreements, qpdfObjects } from '../../support/pdf/strict-judge.js'

t.test('every object of a real file is read as qpdf reads it, or refused', needsCorpus, async (t) => {
  let [agreed, opened] = [0, 0]
  for (const { name, isHostile, source } of corpus()) {
    if (isHostile) continue
    const password = source.password && Buffer.from(source.password).toString()
    try {
      const document = openStrict(source.path, { password: source.password })
      const newest = document.revisions.at(-1)
      const theirs = qpdfObjects(source.path, password)
      // Of a file that qpdf cannot read as a whole there is nothing to compare.
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
  t.ok(opened > 100 && agreed > 3_000, `${agreed} objects of ${opened} files`)
})
