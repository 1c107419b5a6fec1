// Figures that engines show in `/metrics`.

/** Figure that is read at each scrape. Its name has the prefix `steward_` there. */
export interface Measurement {
  readonly name: string
  readonly help: string
  read(): number | Promise<number>
  /** How the values of the processes of one server become one. Default: their sum. */
  readonly aggregator?: 'sum' | 'min' | 'max'
}
