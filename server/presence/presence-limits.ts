// Limits of what readers of a layer are told about each other.

const second = 1000

export const presenceLimits = {
  /** Maximum number of readers that others are told about by name; further ones are counted. */
  readersMax: 50,
  /** Delay after which readers who come and go in quick succession are told about together. */
  pauseMs: 250,
  /** Time for which a reader stays after its stream ended: streams are opened again. */
  lingerMs: 3 * second,
  /** Interval at which a process tells the others about its readers, and time after which it counts as gone. */
  renewalMs: 20 * second,
  lifetimeMs: 60 * second,
} as const
