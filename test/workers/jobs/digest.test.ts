// The digest job computes the same SHA-256 as other implementations.
import { createHash } from 'node:crypto'
import t from 'tap'
import { digest } from '../../../workers/jobs/digest.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

t.test('the digest of a file is its SHA-256 and length', async (t) => {
  const run = runner(t)
  const workshop = Workshop.of(t)
  for (const length of [0, 1, 1024 * 1024, 2_500_000]) {
    const bytes = Buffer.alloc(length, 'stew')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    t.same(await run(digest, { source: workshop.source(bytes) }), { sha256, sizeBytes: length })
  }
})
