"""Calls of a client that openapi-python-client generates; tests/prove/python-client.prove.ts generates and runs it."""

import json
import os

from school_client import AuthenticatedClient
from school_client.api.courses import create_course, get_course, list_courses
from school_client.models import Course, CoursePage, ListCoursesStatus, NewCourse, NewCourseVisibility

client = AuthenticatedClient(base_url=os.environ["SCHOOL_URL"], token=os.environ["ACCESS_TOKEN"])

created = create_course.sync(client=client, body=NewCourse(name="Spelt by post", visibility=NewCourseVisibility.UNLISTED))
assert isinstance(created, Course), created

page = list_courses.sync(client=client, limit=100, status=ListCoursesStatus.DRAFT)
assert isinstance(page, CoursePage), page
status = next(course.status for course in page.data if course.id == created.id)

unknown = get_course.sync_detailed("slug:nowhere", client=client)
print(json.dumps({"id": created.id, "status": str(status), "code": unknown.parsed.code}))
