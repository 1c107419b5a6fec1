// Reports what a run left out, from the reasons its tests give: a program that can be installed, or files that not
// everybody has.

const installs = /^apt-get install -y (.+)$/
/** The corpus of real files is not part of the repository, so a run without it counts as complete. */
const isExcused = (reason) => reason.startsWith('set STEWARD_CORPUS')

/** Returns the number of skipped tests that continuous integration must not skip. */
export function unexcused(reasons) {
  return reasons.filter((reason) => !isExcused(reason)).length
}

/** Returns one line with everything to install; undefined if nothing is missing. */
export function installLine(reasons) {
  const packages = reasons.flatMap((reason) => installs.exec(reason)?.[1].split(' ') ?? [])
  if (packages.length === 0) return undefined
  return `Some tests need other programs: apt-get install -y ${[...new Set(packages)].sort().join(' ')}`
}
