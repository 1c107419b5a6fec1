// Every command of the program.
import { ApplyCommand } from './apply.js'
import { CompleteCommand } from './complete.js'
import { CompletionCommand } from './completion.js'
import { DeploymentPauseCommand } from './deployment-pause.js'
import { DeploymentResumeCommand } from './deployment-resume.js'
import { DeploymentRunCommand } from './deployment-run.js'
import { DeploymentRunsCommand } from './deployment-runs.js'
import { DestroyCommand } from './destroy.js'
import { DocumentsBackupCommand } from './documents-backup.js'
import { DocumentsDeleteCommand } from './documents-delete.js'
import { DocumentsDownloadCommand } from './documents-download.js'
import { DocumentsExportAnnotationsCommand } from './documents-export-annotations.js'
import { DocumentsFormValuesCommand } from './documents-form-values.js'
import { DocumentsImportCommand } from './documents-import.js'
import { DocumentsImportAnnotationsCommand } from './documents-import-annotations.js'
import { DocumentsLimitsCommand } from './documents-limits.js'
import { DocumentsListCommand } from './documents-list.js'
import { DocumentsMarkCommand } from './documents-mark.js'
import { DocumentsOpenCommand } from './documents-open.js'
import { DocumentsRenderCommand } from './documents-render.js'
import { DocumentsRestoreCommand } from './documents-restore.js'
import { DocumentsShareCommand } from './documents-share.js'
import { DocumentsShowCommand } from './documents-show.js'
import { DocumentsSignCommand } from './documents-sign.js'
import { DocumentsTextCommand } from './documents-text.js'
import { DocumentsUploadCommand } from './documents-upload.js'
import { DocumentsVerifyCommand } from './documents-verify.js'
import { EmulateCommand } from './emulate.js'
import { ExplainCommand } from './explain.js'
import { GraphCommand } from './graph.js'
import { ImportCommand } from './import.js'
import { InitCommand } from './init.js'
import { MemoryListCommand } from './memory-list.js'
import { MemoryPutCommand } from './memory-put.js'
import { MemoryRmCommand } from './memory-rm.js'
import { MemoryShowCommand } from './memory-show.js'
import { MemoryVersionsCommand } from './memory-versions.js'
import { PlanCommand } from './plan.js'
import { PlanShowCommand } from './plan-show.js'
import { PluginsAllowCommand } from './plugins-allow.js'
import { ProvidersCommand } from './providers.js'
import { SchemaCommand } from './schema.js'
import { ServeCommand } from './serve.js'
import { SessionArchiveCommand } from './session-archive.js'
import { SessionConfirmCommand } from './session-confirm.js'
import { SessionCreateCommand } from './session-create.js'
import { SessionDeleteCommand } from './session-delete.js'
import { SessionEventsCommand } from './session-events.js'
import { SessionFilesCommand } from './session-files.js'
import { SessionListCommand } from './session-list.js'
import { SessionRunCommand } from './session-run.js'
import { SessionSendCommand } from './session-send.js'
import { SessionShowCommand } from './session-show.js'
import { StateListCommand } from './state-list.js'
import { StateMvCommand } from './state-mv.js'
import { StateRmCommand } from './state-rm.js'
import { StateShowCommand } from './state-show.js'
import { StateUnlockCommand } from './state-unlock.js'
import { StoreCopyCommand } from './store-copy.js'
import { StoreUpgradeCommand } from './store-upgrade.js'
import { SyncCommand } from './sync.js'
import { ValidateCommand } from './validate.js'
import { WebhooksCreateCommand } from './webhooks-create.js'
import { WebhooksDeleteCommand } from './webhooks-delete.js'
import { WebhooksDeliveriesCommand } from './webhooks-deliveries.js'
import { WebhooksListCommand } from './webhooks-list.js'
import { WebhooksPauseCommand } from './webhooks-pause.js'
import { WebhooksPingCommand } from './webhooks-ping.js'
import { WebhooksRedeliverCommand } from './webhooks-redeliver.js'
import { WebhooksResumeCommand } from './webhooks-resume.js'
import { WebhooksRotateCommand } from './webhooks-rotate.js'
import { WebhooksUpdateCommand } from './webhooks-update.js'

export const commands = [
  InitCommand,
  ValidateCommand,
  PlanCommand,
  PlanShowCommand,
  ApplyCommand,
  DestroyCommand,
  SyncCommand,
  SessionRunCommand,
  SessionCreateCommand,
  SessionListCommand,
  SessionShowCommand,
  SessionSendCommand,
  SessionConfirmCommand,
  SessionEventsCommand,
  SessionFilesCommand,
  SessionArchiveCommand,
  SessionDeleteCommand,
  DeploymentRunCommand,
  DeploymentPauseCommand,
  DeploymentResumeCommand,
  DeploymentRunsCommand,
  MemoryListCommand,
  MemoryShowCommand,
  MemoryPutCommand,
  MemoryRmCommand,
  MemoryVersionsCommand,
  ImportCommand,
  StateListCommand,
  StateShowCommand,
  StateMvCommand,
  StateRmCommand,
  StateUnlockCommand,
  ExplainCommand,
  GraphCommand,
  ProvidersCommand,
  SchemaCommand,
  PluginsAllowCommand,
  EmulateCommand,
  ServeCommand,
  DocumentsUploadCommand,
  DocumentsImportCommand,
  DocumentsListCommand,
  DocumentsShowCommand,
  DocumentsRenderCommand,
  DocumentsTextCommand,
  DocumentsExportAnnotationsCommand,
  DocumentsImportAnnotationsCommand,
  DocumentsFormValuesCommand,
  DocumentsOpenCommand,
  DocumentsShareCommand,
  DocumentsLimitsCommand,
  DocumentsMarkCommand,
  DocumentsSignCommand,
  DocumentsVerifyCommand,
  DocumentsDownloadCommand,
  DocumentsDeleteCommand,
  DocumentsBackupCommand,
  DocumentsRestoreCommand,
  WebhooksCreateCommand,
  WebhooksListCommand,
  WebhooksUpdateCommand,
  WebhooksPauseCommand,
  WebhooksResumeCommand,
  WebhooksRotateCommand,
  WebhooksPingCommand,
  WebhooksDeliveriesCommand,
  WebhooksRedeliverCommand,
  WebhooksDeleteCommand,
  StoreCopyCommand,
  StoreUpgradeCommand,
  CompleteCommand,
  CompletionCommand,
] as const
