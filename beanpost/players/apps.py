from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "beanpost.players"
