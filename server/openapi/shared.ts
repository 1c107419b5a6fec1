// Schemas used in many bodies and responses: each is a named component that its uses refer to, so that generated
// clients have one type for it.
import { ActionTree, WrittenActionTree } from '../../workers/contract/action-tree.js'
import { AnnotationActions } from '../../workers/contract/annotation-actions.js'
import { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import { Annotation } from '../../workers/contract/annotations/annotation.js'
import { AnnotationReply } from '../../workers/contract/annotations/common.js'
import { AttachedFile, WrittenFile } from '../../workers/contract/annotations/file-attachment.js'
import { WidgetAnnotation } from '../../workers/contract/annotations/widget.js'
import { AnnotationDraft, AnnotationPatch } from '../../workers/contract/annotations/written.js'
import { AppearancePicture } from '../../workers/contract/appearance-batch.js'
import { AppearanceOutcome } from '../../workers/contract/appearance-outcome.js'
import { Destination } from '../../workers/contract/destination.js'
import { DocumentMetadata } from '../../workers/contract/document-metadata.js'
import { FieldActions } from '../../workers/contract/field-actions.js'
import { FieldDraft, FieldPatch } from '../../workers/contract/field-members.js'
import { FormFieldValue } from '../../workers/contract/field-value.js'
import { FormField } from '../../workers/contract/form-field.js'
import { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import { FormWidget } from '../../workers/contract/form-widget.js'
import { LineEndings } from '../../workers/contract/line-ending.js'
import { LinkTarget } from '../../workers/contract/link-target.js'
import { AnnotationPosition, FieldPosition, PagePosition } from '../../workers/contract/list-position.js'
import { Measure, Measurement, WrittenMeasure, WrittenMeasurement } from '../../workers/contract/measurement.js'
import { AnnotationMeta, CacheDelta, CachePins, FormMeta, MutationMeta } from '../../workers/contract/mutation-meta.js'
import { NumberFormat } from '../../workers/contract/number-format.js'
import { MetadataPatch } from '../../workers/contract/ops/metadata-update.js'
import { CustomMetadataPatch } from '../../workers/contract/ops/metadata-update-custom.js'
import { PageBox } from '../../workers/contract/page-box.js'
import { PageLayout } from '../../workers/contract/page-layout.js'
import { PageList } from '../../workers/contract/page-list.js'
import { PagePoint } from '../../workers/contract/page-point.js'
import { PageQuad } from '../../workers/contract/page-quad.js'
import { PageRef } from '../../workers/contract/page-ref.js'
import { PdfRect } from '../../workers/contract/pdf-rect.js'
import { ResourceKeys } from '../../workers/contract/resource-keys.js'
import { RichText, RunStyle, WrittenRichText, WrittenRunStyle } from '../../workers/contract/rich-text.js'
import { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import { ValueEntry } from '../../workers/contract/value-entry.js'
import { ActionsPatch, WidgetPatch, WidgetPlacement } from '../../workers/contract/widget-look.js'
import { Document, ImportSource, Upload } from '../schemas/document.js'
import { AuditEntry, DocumentLayer } from '../schemas/document-history.js'
import { AuditEvent } from '../schemas/events.js'
import { DocumentVersion } from '../schemas/head.js'
import { DocumentedScopeWord, ShareScopeWord, TokenScopeWord } from '../schemas/scope.js'
import { Share } from '../schemas/share.js'
import { Tenant } from '../schemas/tenant.js'
import { Webhook, WebhookAttempt, WebhookDelivery, WebhookEvent } from '../schemas/webhook.js'

const named = {
  ActionTree,
  ActionsPatch,
  Annotation,
  AnnotationActions,
  AnnotationDraft,
  AnnotationMeta,
  AnnotationPatch,
  AnnotationPosition,
  AnnotationRef,
  AnnotationReply,
  AppearanceOutcome,
  AppearancePicture,
  AttachedFile,
  AuditEntry,
  AuditEvent,
  CacheDelta,
  CachePins,
  CustomMetadataPatch,
  Destination,
  Document,
  DocumentLayer,
  DocumentMetadata,
  DocumentProtection,
  DocumentVersion,
  FieldActions,
  FieldDraft,
  FieldPatch,
  FieldPosition,
  FormField,
  FormFieldRef,
  FormFieldValue,
  FormMeta,
  FormWidget,
  ImportSource,
  LineEndings,
  LinkTarget,
  Measure,
  Measurement,
  MetadataPatch,
  MutationMeta,
  NumberFormat,
  PageBox,
  PageLayout,
  PageList,
  PagePoint,
  PagePosition,
  PageQuad,
  PageRef,
  PdfRect,
  ResourceKeys,
  RichText,
  RunStyle,
  Share,
  Tenant,
  Upload,
  ValueEntry,
  Webhook,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEvent,
  WidgetAnnotation,
  WidgetPatch,
  WidgetPlacement,
  WrittenActionTree,
  WrittenFile,
  WrittenMeasure,
  WrittenMeasurement,
  WrittenRichText,
  WrittenRunStyle,
}

export const sharedSchemas: ReadonlyMap<object, string> = new Map(
  Object.entries(named).map(([name, schema]) => [schema, name]),
)

/** Schemas whose description is more precise than their validation. */
export const documentedSchemas: ReadonlyMap<object, object> = new Map([
  [ShareScopeWord, DocumentedScopeWord],
  [TokenScopeWord, DocumentedScopeWord],
])
