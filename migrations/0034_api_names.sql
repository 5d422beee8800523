-- Names that the API and the database share, changed together while nothing outside depends on them (CHANGELOG.md lists each).
alter table facts rename column kind to type;
alter table facts rename column about to payload;

create temporary table renamed_facts (old text primary key, new text not null) on commit drop;
insert into renamed_facts values
  ('account.deletion_begun', 'account.deletion_requested'),
  ('account.export_asked', 'account.export_requested'),
  ('attachment.added', 'attachment.created'),
  ('attachment.removed', 'attachment.deleted'),
  ('categories.ordered', 'category.reordered'),
  ('custom_field.removed', 'custom_field.deleted'),
  ('custom_fields.ordered', 'custom_field.reordered'),
  ('entitlement.end_moved', 'entitlement.updated'),
  ('entitlement.given', 'entitlement.granted'),
  ('entitlement.withdrawn', 'entitlement.revoked'),
  ('extension.withdrawn', 'extension.deleted'),
  ('group.item_closed', 'group.item_removed'),
  ('group.item_opened', 'group.item_added'),
  ('lecturers.ordered', 'lecturer.reordered'),
  ('lesson.drip_changed', 'lesson.drip_updated'),
  ('lesson.opened', 'lesson.unlocked'),
  ('lesson.uncompleted', 'lesson.completion_undone'),
  ('member.note_added', 'member.note_created'),
  ('member.note_changed', 'member.note_updated'),
  ('member.note_removed', 'member.note_deleted'),
  ('member.tagged', 'member.tag_added'),
  ('member.untagged', 'member.tag_removed'),
  ('members.imported', 'member.imported'),
  ('students.imported', 'student.imported'),
  ('members.tagged', 'member.batch_tagged'),
  ('outline.changed', 'outline.updated'),
  ('price.retired', 'price.archived'),
  ('quiz.changed', 'quiz.updated'),
  ('review.answer_removed', 'review.reply_deleted'),
  ('review.answered', 'review.replied'),
  ('submission.changed', 'submission.updated'),
  ('upload.removed', 'upload.deleted'),
  ('session.ended', 'session.deleted'),
  ('lesson.opening_set', 'lesson.availability_updated'),
  ('lesson.opening_removed', 'lesson.availability_deleted');
update facts f set type = r.new from renamed_facts r where f.type = r.old;
update facts set payload = jsonb_set(payload, '{grading}', '"manual"')
  where type = 'quiz_attempt.graded' and payload ->> 'grading' = 'by_hand';

create temporary table renamed_operations (old text primary key, new text not null) on commit drop;
insert into renamed_operations values
  ('orderCustomFields', 'reorderCustomFields'),
  ('openGroupItem', 'addGroupItem'),
  ('closeGroupItem', 'removeGroupItem'),
  ('orderLecturers', 'reorderLecturers'),
  ('orderCategories', 'reorderCategories'),
  ('removeReviewReply', 'deleteReviewReply'),
  ('retireCoursePrice', 'archiveCoursePrice'),
  ('endMemberSessions', 'deleteMemberSessions'),
  ('putOutline', 'setOutline'),
  ('putSectionOrder', 'reorderSectionLessons'),
  ('putAttachmentOrder', 'reorderAttachments'),
  ('putSectionPlacement', 'moveSection'),
  ('putLessonPlacement', 'moveLesson'),
  ('putLessonDrip', 'setLessonDrip'),
  ('putAssignment', 'setAssignment'),
  ('putQuiz', 'setQuiz'),
  ('putExtension', 'setExtension'),
  ('putUploadContent', 'setUploadContent'),
  ('putLessonVersion', 'restoreLessonVersion'),
  ('putQuizAnswers', 'setAccountQuizAnswers'),
  ('putLessonPosition', 'setAccountPlaybackPosition'),
  ('addLessonAttachment', 'createAttachment'),
  ('removeAttachment', 'deleteAttachment'),
  ('getStudentLessonOpening', 'getStudentLessonAvailability'),
  ('putStudentLessonOpening', 'setStudentLessonAvailability'),
  ('deleteStudentLessonOpening', 'deleteStudentLessonAvailability'),
  ('uncompleteStudentLesson', 'undoStudentLessonCompletion'),
  ('completeLesson', 'completeAccountLesson'),
  ('uncompleteLesson', 'undoAccountLessonCompletion'),
  ('explainAccess', 'explainStudentAccess'),
  ('explainOwnAccess', 'explainAccountAccess'),
  ('listAccountDue', 'listAccountDueWork'),
  ('endAccountSession', 'deleteAccountSession'),
  ('listConnectedApps', 'listAccountConnectedApps'),
  ('endConnectedApp', 'deleteAccountConnectedApp'),
  ('listOwnEnrollments', 'listAccountEnrollments'),
  ('getOwnEnrollment', 'getAccountEnrollment'),
  ('endOwnEnrollment', 'endAccountEnrollment'),
  ('listOwnQuizAttempts', 'listAccountQuizAttempts'),
  ('getOwnQuizAttempt', 'getAccountQuizAttempt'),
  ('startQuizAttempt', 'startAccountQuizAttempt'),
  ('submitQuizAttempt', 'submitAccountQuizAttempt'),
  ('createExport', 'createAccountExport'),
  ('listExports', 'listAccountExports'),
  ('getExport', 'getAccountExport'),
  ('beginAccountDeletion', 'createAccountDeletion'),
  ('getConfirmation', 'getAccountConfirmation'),
  ('tagMember', 'addMemberTag'),
  ('untagMember', 'removeMemberTag'),
  ('createTagBatch', 'createMemberTagBatch');
update audit_log a set operation = r.new from renamed_operations r where a.operation = r.old;
-- A request that is repeated with its key after the upgrade must not be processed twice.
update idempotency_keys k set operation = r.new from renamed_operations r where k.operation = r.old;
-- A write that waits for a person was stored with parameters and effects of the old names. Its app has to request it again.
update confirmations set expires_at = least(expires_at, (select stoa.now())) where decision is null;
update confirmations c set operation = r.new from renamed_operations r where c.operation = r.old;

alter table lessons rename column content_type to type;
alter table enrollments rename column last_learned_at to last_activity_at;
alter table quiz_attempts rename column number to attempt_number;
alter table submissions rename column number to attempt_number;

alter table question_versions drop constraint question_versions_grading_check;
update question_versions set grading = 'manual' where grading = 'by_hand';
alter table question_versions add constraint question_versions_grading_check
  check (grading in ('automatic', 'manual'));
