// The picture of the first page that somebody waits for: everything else is read after it.

/** Others wait no longer than this. */
const longestMs = 3_000

export class FirstPicture {
  #show: () => void = () => {}
  /** Resolves when the picture is there, when it failed, or after a while. */
  readonly shown = new Promise<void>((show) => {
    this.#show = show
    setTimeout(show, longestMs)
  })

  /** Says that the picture is there, or failed. */
  show(): void {
    this.#show()
  }
}
