// The conformance suite on the forward API of Qoder, against its emulator.
import t from 'tap'
import { conformance } from '../../core/conformance/conformance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { qoderForwardSubject } from './subjects/qoder-forward.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)
await conformance(t, { ...qoderForwardSubject, ...sampleOf(1) })
