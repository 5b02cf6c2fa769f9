DATE_FORMAT = "j F Y"
TIME_FORMAT = "G \\h i"
DATETIME_FORMAT = "j F Y à G \\h i"
