// Operations that read a document through a layer: head, manifest, layout, pictures, text, bytes.

import type { Capability } from '../../workers/contract/capabilities.js'
import { PageGeometry } from '../../workers/contract/page-geometry.js'
import { PageList } from '../../workers/contract/page-list.js'
import { PageText } from '../../workers/contract/page-text.js'
import type { RenderInput } from '../../workers/jobs/render.js'
import { headOf } from '../documents/head.js'
import { downloadLayer } from '../documents/layer-download.js'
import { sendManifest } from '../documents/manifest.js'
import { pictureOf, picturePins } from '../documents/picture.js'
import { sendJson } from '../documents/send-json.js'
import { versionedBy } from '../documents/versioned-by.js'
import { operation } from '../operation/operation.js'
import { DocumentHead, Manifest } from '../schemas/head.js'
import { DocumentPath, LayerPath, objectNumberOf, PagePath } from '../schemas/ids.js'
import { DownloadQuery, RenderQuery } from '../schemas/reading.js'

const opening = { kind: 'document', capabilities: ['doc.open'] } as const

interface RenderFamily {
  readonly name: string
  readonly summary: string
  readonly path: string
  readonly family: RenderInput['family']
  readonly capabilities: readonly Capability[]
}

const families: readonly RenderFamily[] = [
  {
    name: 'doc.render',
    summary: 'Draw a page: its content, without annotations and form fields',
    path: 'render/pages',
    family: 'pages',
    capabilities: ['doc.render'],
  },
  {
    name: 'doc.render.annotations',
    summary: 'Draw a page with its annotations, without form fields',
    path: 'render/annotations/pages',
    family: 'annotations',
    capabilities: ['doc.render', 'doc.annotate.read'],
  },
  {
    name: 'doc.render.fields',
    summary: 'Draw a page with its form fields, without other annotations',
    path: 'render/fields/pages',
    family: 'fields',
    capabilities: ['doc.render', 'doc.forms.read'],
  },
  {
    name: 'doc.render.all',
    summary: 'Draw a page with annotations and form fields',
    path: 'render/all/pages',
    family: 'all',
    capabilities: ['doc.render', 'doc.annotate.read', 'doc.forms.read'],
  },
]

export const readingOperations = [
  operation({
    name: 'doc.head',
    summary: 'Facts that a viewer needs before it opens a document',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/head',
    authority: opening,
    input: { params: DocumentPath },
    answer: DocumentHead,
    answersLocked: true,
    handle: (_input, context) => headOf(context),
  }),
  operation({
    name: 'doc.layerHead',
    summary: 'The head of a document through one of its layers',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/head',
    authority: opening,
    input: { params: LayerPath },
    answer: DocumentHead,
    answersLocked: true,
    handle: (_input, context) => headOf(context),
  }),
  operation({
    name: 'doc.manifest',
    summary: 'The version pins of a layer, page by page',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/manifest',
    authority: opening,
    input: { params: LayerPath },
    answer: Manifest,
    versioned: versionedBy('docVersion'),
    handle: (_input, context) => sendManifest(context),
  }),
  operation({
    name: 'doc.layout',
    summary: 'Sizes, boxes, rotations, labels and names of all pages',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/layout',
    authority: opening,
    input: { params: LayerPath },
    answer: PageList,
    versioned: versionedBy('layoutVersion'),
    handle: (_input, context) =>
      sendJson(context, { pins: ['layoutVersion'], parts: ['layout'] }, (source) =>
        context.deployment.workers.runJson('layout', { source }),
      ),
  }),
  operation({
    name: 'doc.download',
    summary: 'The PDF of a layer: its version with the edits of the layer',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/download',
    authority: { kind: 'document', capabilities: ['doc.download'] },
    input: { params: LayerPath, query: DownloadQuery },
    answer: ['application/pdf'],
    versioned: { ...versionedBy('docVersion'), isInherited: false },
    handle: ({ query }, context) => downloadLayer(context, query.mode ?? 'incremental'),
  }),
  ...families.map(({ name, summary, path, family, capabilities }) =>
    operation({
      name,
      summary,
      plane: 'document',
      method: 'GET',
      path: `/v1/docs/:docId/layers/:layerName/${path}/:pageKey/data`,
      authority: { kind: 'document', capabilities },
      input: { params: PagePath, query: RenderQuery },
      answer: ['image/webp', 'image/png'],
      versioned: versionedBy(...picturePins[family]),
      handle: ({ params, query }, context) => pictureOf({ pageKey: params.pageKey, query, family }, context),
    }),
  ),
  operation({
    name: 'doc.geometry',
    summary: 'Where the characters of a page stand, for selecting and marking text',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/geometry/pages/:pageKey/data',
    authority: { kind: 'document', capabilities: ['doc.text.select'] },
    input: { params: PagePath },
    answer: PageGeometry,
    versioned: versionedBy('contentVersion'),
    handle: ({ params }, context) => {
      const page = objectNumberOf(params.pageKey)
      return sendJson(context, { pins: ['contentVersion'], page, parts: ['geometry'] }, (source) =>
        context.deployment.workers.runJson('geometry', { source, page }),
      )
    },
  }),
  operation({
    name: 'doc.text',
    summary: 'The text of a page in reading order',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/text/pages/:pageKey/data',
    authority: { kind: 'document', capabilities: ['doc.text.copy'] },
    input: { params: PagePath },
    answer: PageText,
    versioned: versionedBy('contentVersion'),
    handle: ({ params }, context) => {
      const page = objectNumberOf(params.pageKey)
      return sendJson(context, { pins: ['contentVersion'], page, parts: ['text'] }, (source) =>
        context.deployment.workers.runJson('text', { source, page }),
      )
    },
  }),
] as const
