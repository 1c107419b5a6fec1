// The conformance suite on a service that speaks the wire of Claude with headers and a toolset of its own.
import t from 'tap'
import { conformance } from '../../core/conformance/conformance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { dialectSubject } from './subjects/dialect.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)
await conformance(t, { ...dialectSubject, ...sampleOf(1) })
