// Operations that read forms, actions, bookmarks, metadata, viewports and extracted pages of a document.
import { AppearanceBatch } from '../../workers/contract/appearance-batch.js'
import { Bookmarks } from '../../workers/contract/bookmarks.js'
import { CustomMetadata } from '../../workers/contract/custom-metadata.js'
import { DocumentActions } from '../../workers/contract/document-actions.js'
import { DocumentMetadata } from '../../workers/contract/document-metadata.js'
import { FormSnapshot } from '../../workers/contract/form-snapshot.js'
import { PageViewports } from '../../workers/contract/viewport.js'
import { appearancePins, appearancesOf } from '../documents/appearances.js'
import { attributedForm, hasAuthors } from '../documents/attribution.js'
import { sendFormValues, valuesTypes } from '../documents/export-values.js'
import { extractPages } from '../documents/extract.js'
import { sendJson } from '../documents/send-json.js'
import { versionedBy } from '../documents/versioned-by.js'
import { firstPin } from '../layers/base-pins.js'
import { operation } from '../operation/operation.js'
import { LayerPath, objectNumberOf, PagePath } from '../schemas/ids.js'
import { AppearancesQuery, PagesExtract, ValuesQuery } from '../schemas/reading.js'

const opening = { kind: 'document', capabilities: ['doc.open'] } as const
const readingForms = { kind: 'document', capabilities: ['doc.forms.read'] } as const
const downloading = { kind: 'document', capabilities: ['doc.download'] } as const

export const contentOperations = [
  operation({
    name: 'doc.forms.values',
    summary: 'The values of the form by the full names of its fields, as JSON, FDF or XFDF',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/form/values',
    authority: { kind: 'document', capabilities: ['doc.forms.read'] },
    input: { params: LayerPath, query: ValuesQuery },
    answer: Object.values(valuesTypes),
    handle: ({ query }, context) => sendFormValues(context, query.format ?? 'json'),
  }),
  operation({
    name: 'doc.forms.list',
    summary: 'All form fields and widgets of a layer',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/form',
    authority: readingForms,
    input: { params: LayerPath },
    answer: FormSnapshot,
    versioned: versionedBy('formsVersion'),
    handle: (_input, context) =>
      // Removing a page removes its widgets.
      sendJson(context, { pins: ['formsVersion', 'layoutVersion'], parts: ['form'] }, async (source, view) => {
        const form = await context.deployment.workers.runJson('form', { source })
        return hasAuthors(view, context) ? attributedForm(form, context) : form
      }),
  }),
  operation({
    name: 'doc.forms.appearances',
    summary: 'Pictures of every appearance of the widgets of a page, each with its place',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/form/pages/:pageKey/appearances',
    authority: readingForms,
    input: { params: PagePath, query: AppearancesQuery },
    answer: ['multipart/form-data'],
    parts: AppearanceBatch,
    versioned: versionedBy(appearancePins.widgets),
    handle: ({ params, query }, context) =>
      appearancesOf({ pageKey: params.pageKey, query, owner: 'widgets' }, context),
  }),
  operation({
    name: 'doc.actions',
    summary: 'Actions of the document: scripts, and what happens when it is opened, closed, saved and printed',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/actions',
    authority: opening,
    input: { params: LayerPath },
    answer: DocumentActions,
    versioned: {
      pins: ['actionsVersion'],
      // No op changes them.
      current: async (_input, { document }) => ({ actionsVersion: firstPin(document.row) }),
      isInherited: true,
    },
    handle: (_input, context) =>
      sendJson(context, { pins: ['layoutVersion'], parts: ['actions'] }, (source) =>
        context.deployment.workers.runJson('actions', { source }),
      ),
  }),
  operation({
    name: 'doc.bookmarks',
    summary: 'The outline of the document',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/bookmarks',
    authority: opening,
    input: { params: LayerPath },
    answer: Bookmarks,
    versioned: versionedBy('layoutVersion'),
    handle: (_input, context) =>
      sendJson(context, { pins: ['layoutVersion'], parts: ['bookmarks'] }, (source) =>
        context.deployment.workers.runJson('bookmarks', { source }),
      ),
  }),
  operation({
    name: 'doc.metadata.get',
    summary: 'Title, author and dates',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/metadata',
    authority: opening,
    input: { params: LayerPath },
    answer: DocumentMetadata,
    versioned: versionedBy('metadataVersion'),
    handle: (_input, context) =>
      sendJson(context, { pins: ['metadataVersion'], parts: ['metadata'] }, (source) =>
        context.deployment.workers.runJson('metadata', { source }),
      ),
  }),
  operation({
    name: 'doc.metadata.custom.get',
    summary: 'Custom metadata',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/metadata/custom',
    authority: opening,
    input: { params: LayerPath },
    answer: CustomMetadata,
    versioned: versionedBy('metadataVersion'),
    handle: (_input, context) =>
      sendJson(context, { pins: ['metadataVersion'], parts: ['custom-metadata'] }, (source) =>
        context.deployment.workers.runJson('customMetadata', { source }),
      ),
  }),
  operation({
    name: 'doc.pages.viewports',
    summary: 'The viewports of a page with their scales',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/pages/:pageKey/viewports',
    authority: opening,
    input: { params: PagePath },
    answer: PageViewports,
    handle: ({ params }, context) => {
      const page = objectNumberOf(params.pageKey)
      return sendJson(context, { pins: ['docVersion'], page, parts: ['viewports'] }, (source) =>
        context.deployment.workers.runJson('viewports', { source, page }),
      )
    },
  }),
  operation({
    name: 'doc.pages.extract',
    summary: 'Extract pages as a new PDF, without changing the document',
    plane: 'document',
    method: 'POST',
    path: '/v1/docs/:docId/layers/:layerName/pages/extract',
    authority: downloading,
    input: { params: LayerPath, body: PagesExtract },
    answer: ['application/pdf'],
    handle: ({ body }, context) =>
      extractPages(
        body.pages.map(({ objectNumber }) => objectNumber),
        context,
      ),
  }),
] as const
