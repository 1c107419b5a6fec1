// Options that are accepted anywhere on the command line.

/** Options of every command of agents.yaml, and whether a value follows. */
export const globalOptions: Readonly<Record<string, boolean>> = {
  '--config': true,
  '-c': true,
  '--json': false,
  '--verbose': false,
  '-v': false,
}

/** Name of the project file if the command line names none. */
export const usualFile = 'agents.yaml'
