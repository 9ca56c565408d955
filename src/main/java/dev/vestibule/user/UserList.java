package dev.vestibule.user;

import java.util.List;

/** A page of users, and how many there are on all pages. */
record UserList(List<UserItem> users, long total) {}
