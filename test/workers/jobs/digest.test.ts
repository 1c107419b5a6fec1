// The digest of a file is the one everybody else computes.
import { createHash } from 'node:crypto'
import t from 'tap'
import { digest } from '../../../workers/jobs/digest.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

t.test('the digest is SHA-256 and length of any file', async (t) => {
  const run = runner(t)
  const workshop = Workshop.of(t)
  for (const length of [0, 1, 1024 * 1024, 2_500_000]) {
    const bytes = Buffer.alloc(length, 'stew')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    t.same(await run(digest, { source: workshop.source(bytes) }), { sha256, sizeBytes: length })
  }
})
