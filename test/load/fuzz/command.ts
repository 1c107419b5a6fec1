// Runs a command of the program in this process, and complains about an exit code that is not documented, about a report
// without code, place or explanation, and about every bug.
import { agentsHere } from '../../cli/in-process.js'
import { records } from '../../cli/scratch.js'

export interface CommandCase {
  readonly words: readonly string[]
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  /** Documented exit codes. */
  readonly codes: readonly number[]
  /** True if every error must have a line and column. */
  readonly isPlaced?: (code: string) => boolean
}

/** Bound of the processor time of one command in milliseconds, a hundred times what the slowest needs. */
const processorMsMax = 20_000

export async function commandComplaints({
  words,
  folder,
  env = {},
  codes,
  isPlaced = () => false,
}: CommandCase): Promise<readonly string[]> {
  const before = process.cpuUsage()
  const { code, stdout, stderr } = await agentsHere([...words, '--json'], { folder, env })
  const used = process.cpuUsage(before)
  const usedMs = (used.user + used.system) / 1000
  const complaints: string[] = []
  const command = words.join(' ')
  if (!codes.includes(code)) complaints.push(`${command} ended with ${code}: ${stdout}${stderr}`.slice(0, 2000))
  if (usedMs > processorMsMax) complaints.push(`${command} took ${Math.round(usedMs)} ms of processor time`)
  const diagnostics = records(stdout).filter(({ type }) => type === 'diagnostic')
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (code === 1 && errors.length === 0) complaints.push(`${command} failed without an explanation: ${stdout}${stderr}`)
  for (const { code: name, summary, detail, fix, place, severity } of diagnostics) {
    const where = `${command}: ${name}`
    if (name === 'internal.bug') complaints.push(`${where}: ${detail}`.slice(0, 2000))
    if (typeof summary !== 'string' || typeof detail !== 'string' || typeof fix !== 'string')
      complaints.push(`${where} explains nothing`)
    if (severity === 'error' && isPlaced(String(name)) && typeof Object(place)['line'] !== 'number')
      complaints.push(`${where} has no place: ${detail}`)
  }
  return complaints
}
