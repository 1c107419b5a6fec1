// The command line of the test runner.

/** Returns what to run. Ends the process with code 64 if an option is unknown, so that a slip never tests something else. */
export function readOptions(words) {
  const flags = words.filter((word) => word.startsWith('--'))
  const files = words.filter((word) => !word.startsWith('--'))
  const options = {
    files,
    isAll: false,
    isLong: process.env.STEWARD_TEST_LONG === '1',
    isMeasuring: false,
    isWatching: false,
  }
  for (const flag of flags) {
    const [name, value] = flag.split('=')
    const shard = /^([1-9]\d*)\/([1-9]\d*)$/.exec(value ?? '')
    if (name === '--all') options.isAll = true
    else if (name === '--long') options.isLong = true
    else if (name === '--measure') options.isMeasuring = true
    else if (name === '--watch') options.isWatching = true
    else if (name === '--changed') options.changedSince = value ?? 'HEAD'
    else if (name === '--shard' && shard !== null && Number(shard[1]) <= Number(shard[2]))
      options.shard = { index: Number(shard[1]), count: Number(shard[2]) }
    else refuse(flag)
  }
  if (options.shard !== undefined) options.isAll = true
  return { ...options, isEveryday: files.length === 0 && !options.isAll && options.changedSince === undefined }
}

function refuse(flag) {
  console.error(`${flag} is no option of the tests; scripts/test.mjs lists them`)
  process.exit(64)
}
