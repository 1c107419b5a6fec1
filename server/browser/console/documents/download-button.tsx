// Saves a PDF as a file.
import type { ApiClient } from '../../shared/api-client.js'
import { saveAs } from '../../shared/save-as.js'
import { Icon } from '../parts/icon.js'
import { ProblemNotice } from '../parts/notice.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'

interface DownloadButtonProps {
  readonly client: ApiClient
  readonly path: string
  /** Name of the file, with or without its ending. */
  readonly name: string
}

export function DownloadButton({ client, path, name }: DownloadButtonProps) {
  const { isBusy, problem, run } = useWork()
  const save = async () => saveAs(await client.blob(path), /\.pdf$/i.test(name) ? name : `${name}.pdf`)
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={isBusy}
        aria-label={text('downloadOf', { name })}
        onClick={() => void run(save)}
      >
        <Icon name="download" />
        {text('download')}
      </button>
      <ProblemNotice problem={problem} />
    </>
  )
}
