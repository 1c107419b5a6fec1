// Conformance of in-memory leases and bus.
import t from 'tap'
import { busConformance } from '../../../server/storage/conformance/bus.js'
import { leasesConformance } from '../../../server/storage/conformance/leases.js'
import { MemoryBus } from '../../../server/storage/memory-bus.js'
import { MemoryLeases } from '../../../server/storage/memory-leases.js'

await t.test('leases', (t) => leasesConformance(t, async () => new MemoryLeases()))
await t.test('bus', (t) => busConformance(t, async () => new MemoryBus()))
