// Soaks the built server: a mixed load, for some minutes after a warm-up, in which nothing may have grown.
//
//   npm run soak [-- --minutes N --seed S]
//
// Prints the measurements, the trends and a verdict; exit code 1: it failed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { soak } from './soak.js'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string' },
    clients: { type: 'string', default: '4' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'soak-'))
try {
  const { trends, failures } = await soak({
    minutes: Number(values.minutes),
    seed: values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(values.seed),
    clients: Number(values.clients),
    folder,
    report: (line) => console.log(line),
  })
  for (const [name, { slopePerMinute, growth, allowed }] of Object.entries(trends))
    console.log(
      `${name}: ${slopePerMinute.toFixed(2)} a minute, ${growth.toFixed(1)} in all (allowed ${allowed.toFixed(1)})`,
    )
  for (const failure of failures) console.log(failure)
  console.log(failures.length === 0 ? 'passed' : `failed: ${failures.length} complaints`)
  process.exitCode = failures.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
