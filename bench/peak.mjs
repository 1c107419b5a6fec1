// Preloaded into a measured process: writes its peak memory in KiB when it ends.
import { writeFileSync } from 'node:fs'

process.on('exit', () => writeFileSync(process.env.BENCH_PEAK_FILE, String(process.resourceUsage().maxRSS)))
