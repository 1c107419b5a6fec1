// Operations on webhooks of a tenant and on their deliveries.
import { Type } from 'typebox'
import { strict } from '../../workers/contract/strict.js'
import { operation } from '../operation/operation.js'
import { PageQuery, TenantPath } from '../schemas/ids.js'
import {
  DeliveryPath,
  WebhookAnswer,
  WebhookCreate,
  WebhookDeliveryAnswer,
  WebhookDeliveryList,
  WebhookList,
  WebhookPath,
  WebhookPing,
  WebhookRotate,
  WebhookUpdate,
  WebhookWithSecret,
} from '../schemas/webhook.js'
import { listDeliveries } from '../webhooks/deliveries.js'
import { describeWebhook, findWebhook } from '../webhooks/find-webhook.js'
import { listWebhooks } from '../webhooks/list-webhooks.js'
import {
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  updateWebhook,
} from '../webhooks/manage.js'
import { pingWebhook } from '../webhooks/ping.js'
import { redeliver } from '../webhooks/redeliver.js'

const authority = { kind: 'tenant', scopes: ['webhooks.manage'] } as const
const webhooksPath = '/v1/tenants/:tenantId/webhooks'
const webhookPath = `${webhooksPath}/:webhookId` as const

export const webhookOperations = [
  operation({
    name: 'webhooks.list',
    summary: 'List webhooks, newest first',
    plane: 'tenant',
    method: 'GET',
    path: webhooksPath,
    authority,
    input: { params: TenantPath },
    answer: WebhookList,
    handle: (_input, context) => listWebhooks(context),
  }),
  operation({
    name: 'webhooks.create',
    summary: 'Have events sent to a URL, signed with a secret that is answered once',
    plane: 'tenant',
    method: 'POST',
    path: webhooksPath,
    authority,
    input: { params: TenantPath, body: WebhookCreate },
    answer: WebhookWithSecret,
    handle: ({ body }, context) => createWebhook(body, context),
  }),
  operation({
    name: 'webhooks.get',
    summary: 'Read one webhook',
    plane: 'tenant',
    method: 'GET',
    path: webhookPath,
    authority,
    input: { params: WebhookPath },
    answer: WebhookAnswer,
    handle: async ({ params: { webhookId } }, context) => ({
      webhook: describeWebhook(webhookId, await findWebhook(webhookId, context)),
    }),
  }),
  operation({
    name: 'webhooks.update',
    summary: 'Change the URL or the types of a webhook',
    plane: 'tenant',
    method: 'PATCH',
    path: webhookPath,
    authority,
    input: { params: WebhookPath, body: WebhookUpdate },
    answer: WebhookAnswer,
    handle: ({ params, body }, context) => updateWebhook(params.webhookId, body, context),
  }),
  operation({
    name: 'webhooks.delete',
    summary: 'Delete a webhook with its deliveries',
    plane: 'tenant',
    method: 'DELETE',
    path: webhookPath,
    authority,
    input: { params: WebhookPath },
    answer: 'none',
    handle: ({ params }, context) => deleteWebhook(params.webhookId, context),
  }),
  operation({
    name: 'webhooks.pause',
    summary: 'Pause a webhook: events wait until it is resumed',
    plane: 'tenant',
    method: 'POST',
    path: `${webhookPath}/pause`,
    authority,
    input: { params: WebhookPath },
    answer: WebhookAnswer,
    handle: ({ params }, context) => pauseWebhook(params.webhookId, context),
  }),
  operation({
    name: 'webhooks.resume',
    summary: 'Resume a paused webhook, whatever paused it',
    plane: 'tenant',
    method: 'POST',
    path: `${webhookPath}/resume`,
    authority,
    input: { params: WebhookPath },
    answer: WebhookAnswer,
    handle: ({ params }, context) => resumeWebhook(params.webhookId, context),
  }),
  operation({
    name: 'webhooks.rotateSecret',
    summary: 'Replace the secret; the one before signs too for a while',
    plane: 'tenant',
    method: 'POST',
    path: `${webhookPath}/rotate-secret`,
    authority,
    input: { params: WebhookPath, body: WebhookRotate },
    isBodyOptional: true,
    answer: WebhookWithSecret,
    handle: ({ params, body }, context) => rotateSecret(params.webhookId, body, context),
  }),
  operation({
    name: 'webhooks.ping',
    summary: 'Send a test event at once, and answer what came of it',
    plane: 'tenant',
    method: 'POST',
    path: `${webhookPath}/ping`,
    authority,
    input: { params: WebhookPath },
    answer: WebhookPing,
    handle: ({ params }, context) => pingWebhook(params.webhookId, context),
  }),
  operation({
    name: 'webhooks.deliveries',
    summary: 'List deliveries of a webhook, newest first: those that wait, and recent ones that are over',
    plane: 'tenant',
    method: 'GET',
    path: `${webhookPath}/deliveries`,
    authority,
    input: { params: WebhookPath, query: Type.Object(PageQuery, strict) },
    answer: WebhookDeliveryList,
    handle: ({ params, query }, context) => listDeliveries(params.webhookId, query, context),
  }),
  operation({
    name: 'webhooks.redeliver',
    summary: 'Deliver an event again, with the same event id',
    plane: 'tenant',
    method: 'POST',
    path: `${webhookPath}/deliveries/:deliveryId/redeliver`,
    authority,
    input: { params: DeliveryPath },
    answer: WebhookDeliveryAnswer,
    handle: ({ params }, context) => redeliver(params, context),
  }),
] as const
