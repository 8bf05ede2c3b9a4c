-- The poster finds an incident by its issue; without this it asked the index of (repo_id, number) once for each repository.
create index incident_issue on incident (repo, number);
