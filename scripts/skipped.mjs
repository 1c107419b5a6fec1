// What a run left out, from the reasons its tests give: a program that can be installed, or files that not everybody has.

const installs = /^apt-get install -y (.+)$/
/** The corpus of real files is no part of the repository, so a run without it is a whole one. */
const isExcused = (reason) => reason.startsWith('set STEWARD_CORPUS')

/** How many are left out that continuous integration must not leave out. */
export function unexcused(reasons) {
  return reasons.filter((reason) => !isExcused(reason)).length
}

/** One line with all that is to be installed; undefined = nothing is. */
export function installLine(reasons) {
  const packages = reasons.flatMap((reason) => installs.exec(reason)?.[1].split(' ') ?? [])
  if (packages.length === 0) return undefined
  return `Some tests need other programs: apt-get install -y ${[...new Set(packages)].sort().join(' ')}`
}
