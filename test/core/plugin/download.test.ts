// Unexpected responses to downloads are errors that describe the response; content above the limit is refused.
import t from 'tap'
import { ApiClient } from '../../../core/plugin/client.js'
import { ContentRefused } from '../../../core/plugin/content.js'
import { isFailure } from '../../../core/plugin/failure.js'
import { systemClock } from '../../../core/ports/clock.js'
import type { Http, HttpResponse } from '../../../core/ports/http.js'
import { nodeHttp } from '../../../core/ports/node-http.js'
import { systemRandom } from '../../../core/ports/random.js'
import { archiveFirstBytes } from '../../../plugins/shared/skill-archive.js'
import { describeShape, shapeNames, startStrangeServer } from '../../support/strange-server.js'

function download(http: Http, baseUrl = 'http://api.example'): Promise<Uint8Array> {
  const client = new ApiClient({
    baseUrl,
    headers: () => ({}),
    classify: () => ({ class: 'invalid' }),
    environment: { http, clock: systemClock, random: systemRandom },
  })
  return client.download('', archiveFirstBytes)
}

t.test('a page, an object, an empty body or one without end is not accepted as a download', async (t) => {
  const server = await startStrangeServer()
  t.teardown(() => server.close())
  for (const shape of shapeNames)
    for (const status of shape === 'nothing' ? [200, 201, 204] : [200, 202]) {
      const error: unknown = await download(nodeHttp, server.at(shape, status)).then(String, (error: unknown) => error)
      t.ok(isFailure(error, 'unexpected'), `${status} and ${shape}: ${error}`)
      t.match(String(error), describeShape(shape, status))
    }
})

t.test('bytes with the right signature are accepted with any content type', async (t) => {
  const bytes = Buffer.from('PK\u0003\u0004 and more')
  for (const type of ['application/zip', 'application/octet-stream', 'text/plain', ''])
    t.same(await download(async () => response({ bytes }, type)), bytes, type)
})

t.test('content above the limit is refused with this reason', async (t) => {
  const refused = await download(async () => response({}, 'application/zip')).then(String, (error: unknown) => error)
  t.ok(refused instanceof ContentRefused)
  t.match(String(refused), `more than ${64 * 1024 * 1024} bytes`)
})

function response(body: Pick<HttpResponse, 'bytes'>, type: string): HttpResponse {
  return { status: 200, headers: new Headers(type ? { 'content-type': type } : {}), text: '', ...body }
}
